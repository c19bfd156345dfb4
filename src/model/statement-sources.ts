/**
 * FROM: paths of roles, and entities joined by their keys, made one tree (engine.md §2).
 */
import { rolesOf } from "./entity-graph.ts";
import { onlyWarnings } from "./issue.ts";
import type { SourcesText, SourceText } from "./statement-clauses.ts";
import type { NameText } from "./statement-cursor.ts";
import type { ConditionText, FilterText } from "./statement-grammar.ts";
import { component, joinByColumns } from "./statement-joins.ts";
import { matchEntity, resolveEntity, walkSource } from "./statement-names.ts";
import { findHead, nodeText, type Scope, type ScopeNode } from "./statement-scope.ts";
import { complain, type Report } from "./statement-tokens.ts";

/**
 * Puts the entities of FROM into the scope, joined to one tree; gives the conditions that are left
 * when those that join are taken out, or undefined when FROM could not be understood.
 */
export function resolveSources(
  scope: Scope,
  from: SourcesText,
  where: readonly ConditionText[],
  report: Report,
): FilterText[] | undefined {
  const understood = from.sources.map((source) => addSource(scope, source, report));
  scope.named = scope.nodes.length;
  if (scope.nodes.length === 0 || understood.includes(false)) return undefined;
  const conditions = [...from.on, ...where];
  joinByColumns(
    scope,
    conditions.filter((condition) => condition.kind === "columns"),
    report,
  );
  // Entities can be called unconnected only when everything that could join them was understood.
  if (onlyWarnings(report.issues)) complainAboutProduct(scope, report);
  return conditions.filter((condition) => condition.kind !== "columns");
}

/** Adds one item of FROM; false when it could not be understood. */
function addSource(scope: Scope, source: SourceText, report: Report): boolean {
  scope.named = scope.nodes.length;
  const { path, alias } = source;
  const first = path.parts[0] as NameText;
  if (alias && scope.nodes.some((node) => node.alias === alias.text)) {
    complain(
      report,
      alias.span,
      `Two items of FROM are called ${alias.text}.`,
      "Give one of them another alias.",
    );
    return false;
  }
  if (path.parts.length === 1) return addHead(scope, source, report) !== undefined;
  const head = findHead(scope, first.text);
  if (head.kind === "ambiguous") {
    complain(
      report,
      first.span,
      `${first.text} can mean ${head.nodes.map((node) => nodeText(scope, node)).join(" or ")}.`,
      "Begin the path with one of these, or give them aliases.",
    );
    return false;
  }
  const before = scope.nodes.length;
  const start = head.kind === "node" ? head.node : addHead(scope, source, report);
  const reached = start === undefined ? undefined : walkSource(scope, start, path, report);
  if (!reached) return false;
  const node = scope.nodes[reached.node] as ScopeNode;
  const isKnown = scope.nodes.length === before;
  if (isKnown && alias && node.alias !== undefined) {
    complain(
      report,
      path.span,
      `This path is in FROM already, as ${node.alias}: a record and its siblings are not supported.`,
      "Write two statements: one that reads the record, one that reads the siblings by what it found.",
    );
    return false;
  }
  if (alias) scope.nodes[reached.node] = { ...node, alias: alias.text };
  else if (isKnown)
    complain(
      report,
      path.span,
      "This path names nothing that is not in FROM already.",
      "Leave it out.",
    );
  return true;
}

/** The first entity of a path, where it begins a new tree. */
function addHead(scope: Scope, { path, alias }: SourceText, report: Report): number | undefined {
  const first = path.parts[0] as NameText;
  const owner = scope.nodes.find(({ entity }) => rolesOf(scope.graph, entity).includes(first.text));
  if (owner && matchEntity(scope.graph, first.text) === undefined) {
    complain(
      report,
      first.span,
      `${first.text} is a role of ${owner.entity}.`,
      `Write the path from there: ${owner.entity}.${first.text}.`,
    );
    return undefined;
  }
  const entity = resolveEntity(scope.graph, first, report);
  if (entity === undefined) return undefined;
  const own = path.parts.length === 1 ? alias?.text : undefined;
  const isSame = (node: ScopeNode): boolean =>
    node.head && node.entity === entity && node.alias === undefined;
  if (own === undefined && scope.nodes.some(isSame)) {
    complain(
      report,
      path.span,
      `${entity} stands in FROM twice.`,
      "Give each an alias, or walk from one to the other by a role.",
    );
    return undefined;
  }
  const span = path.span;
  scope.nodes.push({ entity, head: true, span, ...(own !== undefined && { alias: own }) });
  return scope.nodes.length - 1;
}

function complainAboutProduct(scope: Scope, report: Report): void {
  const joined = component(scope, 0);
  scope.nodes.forEach((node, index) => {
    if (joined.has(index) || !node.head) return;
    for (const each of component(scope, index)) joined.add(each);
    complain(
      report,
      node.span,
      `${nodeText(scope, index)} is not joined to ${nodeText(scope, 0)}: that would pair every record with every other.`,
      "Join it by a relationship: a path of roles, or ON child.role.key = parent.key.",
    );
  });
}
