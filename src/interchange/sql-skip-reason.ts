/** Why a statement is of no use for entities, told by its first words. */

const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^(?:insert|copy|replace|merge|update|delete|truncate|load)\b/i,
    "rows; how many there are is asked, not counted",
  ],
  [
    /^create (?:unique )?(?:\w+ )?index\b/i,
    "an index; which tables a query needs is designed anew",
  ],
  [
    /^(?:create|alter|drop|refresh)(?: or replace| or alter)?(?: \w+(?: ?= ?\S+)?)* view\b/i,
    "a view; write what it answers as a statement",
  ],
  [/^create (?:temporary|temp|global temporary|local temporary) table\b/i, "a temporary table"],
  [/^create virtual table\b/i, "a virtual table"],
  [
    /^(?:create|alter|drop)(?: or replace| or alter)?(?: definer ?= ?\S+)?(?: constraint| temp| temporary)? (?:function|procedure|proc|trigger|event|rule|aggregate|operator|package|cast)\b/i,
    "code; Cassandra runs none",
  ],
  [
    /^(?:create|alter|drop) sequence\b|^select (?:pg_catalog\.)?setval\b/i,
    "a sequence; identifiers are made by the application",
  ],
  [
    /^(?:create|alter|drop) (?:schema|database|extension|role|user|tablespace|server|publication|subscription|policy|type|domain|collation|language|default|text)\b/i,
    "it makes or changes no table",
  ],
  [/^(?:grant|revoke|reassign|alter default)\b/i, "rights"],
  [/^comment\b/i, "a comment on something other than a table"],
  [
    /^(?:set|use|pragma|reset|exec|declare|print|if|select|show|analyze|analyse|vacuum|reindex|flush|optimize|delimiter)\b/i,
    "a command of the session",
  ],
  [
    /^(?:begin|start|commit|rollback|end|lock|unlock|savepoint)\b/i,
    "a bracket around other statements",
  ],
];

/** The reason as the rest of a sentence. */
export function skipReason(text: string): string {
  const words = text.slice(0, 200).replaceAll(/\s+/g, " ").trim();
  return (
    reasons.find(([pattern]) => pattern.test(words))?.[1] ?? "it is no statement that is known"
  );
}
