/** Which dialect a script is written in, told by words that only one of them knows. */
import type { SqlDialect } from "#model/imported-schema.ts";

export const sqlDialects: readonly SqlDialect[] = ["postgres", "mysql", "sqlite", "sqlserver"];

const cqlMarks =
  /\bcreate\s+keyspace\b|\bclustering\s+order\s+by\b|\btimeuuid\b|\bprimary\s+key\s*\(\s*\(|\b(?:set|list|map|frozen)\s*<|\bwith\s+(?:compaction|caching|gc_grace_seconds)\b|\bcreate\s+columnfamily\b|\bcounter\s*,/i;

/** Whether a text is CQL rather than SQL, told by words that only CQL knows. */
export function isCql(text: string): boolean {
  return cqlMarks.test(text.slice(0, looked));
}

/** Characters that are looked at. */
const looked = 400_000;

const marks: readonly (readonly [dialect: SqlDialect, pattern: RegExp, weight: number])[] = [
  ["mysql", /`\w/g, 1],
  ["mysql", /\bengine\s*=/gi, 5],
  ["mysql", /\bauto_increment\b/gi, 4],
  ["mysql", /\/\*!\d{5}/g, 4],
  ["mysql", /\bunsigned\b/gi, 2],
  ["mysql", /^\s*(?:unique |fulltext )?key `?\w+`? ?\(/gim, 2],
  ["sqlserver", /^\s*go\s*$/gim, 5],
  ["sqlserver", /\[\w+\]\.\[\w+\]/g, 5],
  ["sqlserver", /\bidentity\s*\(/gi, 3],
  ["sqlserver", /^\s*create table \[/gim, 4],
  ["sqlserver", /\bnvarchar\b/gi, 2],
  ["postgres", /::\w/g, 4],
  ["postgres", /\balter table only\b/gi, 5],
  [
    "postgres",
    /\bcharacter varying\b|\btimestamp with(?:out)? time zone\b|\bjsonb\b|\bbytea\b/gi,
    3,
  ],
  [
    "postgres",
    /\b(?:big|small)?serial\b|\btimestamptz\b|\bgenerated (?:always|by default) as identity\b/gi,
    3,
  ],
  ["postgres", /\bfrom stdin\b|\bpg_catalog\b|\bowner to\b|\$\$/gi, 4],
  ["sqlite", /\bautoincrement\b/gi, 5],
  ["sqlite", /^\s*pragma\b/gim, 5],
  ["sqlite", /\bwithout rowid\b|\bsqlite_\w+/gi, 5],
];
/** So that a long list of the same mark does not outweigh all others. */
const mostOfOne = 40;

/** The dialect of a script; Postgres, which is closest to the standard, where nothing tells. */
export function sqlDialectOf(text: string): SqlDialect {
  const sample = text.slice(0, looked);
  let best: SqlDialect = "postgres";
  let most = 0;
  for (const dialect of sqlDialects) {
    const score = marks
      .filter(([each]) => each === dialect)
      .reduce((sum, [, pattern, weight]) => sum + weight * countOf(sample, pattern), 0);
    if (score > most) {
      most = score;
      best = dialect;
    }
  }
  return best;
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) {
    count += 1;
    if (count >= mostOfOne) break;
  }
  return count;
}
