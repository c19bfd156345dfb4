/**
 * Case 13: a link from parent to child, drawn from either end. The foreign key sits on the child, and
 * rows multiply towards it only. (Export to SQL, of which the case also speaks, is not there yet.)
 */
import { describe, expect, test } from "vitest";
import { entityGraphOf } from "#document/to-problem.ts";
import { buildEntityGraph, type RelationshipDrawing } from "#model/entity-drawing.ts";
import { joinRows } from "#model/query-graph.ts";
import { importedCase, relationshipTexts } from "./import-case.ts";
import { plansOfCase, problemOf, sizeOf } from "./read-case.ts";

const folder = "13-direction-of-the-link";
const problem = problemOf(folder);

describe("members and memberships", () => {
  test("the membership holds the member's identifier", () => {
    const { Member, Membership } = problem.entityGraph.entities;
    expect(Membership?.attributes.map(({ name }) => name)).toContain("member.id");
    expect(Member?.attributes.map(({ name }) => name)).toEqual(["id", "name"]);
  });

  test("memberships with a member's name are 3,000 rows, read from either end", () => {
    const plans = plansOfCase(problem);
    const bySince = "[Membership.since] [Membership.ms_id↑] → Member.name";
    const byMember = "[Member.id] [Membership.ms_id↑] → Member.name";
    for (const text of [bySince, byMember]) expect(sizeOf(plans, text).rows).toBe(3000);
    expect(sizeOf(plans, byMember)).toMatchObject({ partitions: 1000, rowsPerPartition: 3 });
    const [relationship] = problem.entityGraph.relationships;
    expect(
      joinRows(problem.entityGraph, {
        nodes: [
          { entity: "Membership", label: "Membership" },
          { entity: "Member", label: "Member" },
        ],
        edges: [{ relationship: relationship?.id ?? "", parent: 1, child: 0 }],
      }),
    ).toBe(3000);
  });

  test("links of many to many sit on neither side", () => {
    const entity = (name: string) => ({
      name,
      count: 10,
      attributes: [{ name: "id", type: "int" as const }],
      identifier: ["id"],
    });
    const link: RelationshipDrawing = {
      multiplicity: "manyToMany",
      ends: [
        { entity: "A", role: "as" },
        { entity: "B", role: "bs" },
      ],
      links: 30,
    };
    const built = buildEntityGraph([entity("A"), entity("B")], [link]);
    expect(
      built.ok &&
        Object.values(built.value.entities).map(({ attributes }) =>
          attributes.map(({ name }) => name),
        ),
    ).toEqual([["id"], ["id"]]);
  });
});

describe("the SQL of the drawing, imported", () => {
  test("the key sits on the side of the many, and the drawing is the same again", async () => {
    const { plan, document } = await importedCase(`${folder}/expected.sql`, {
      "count/members": 1000,
      "count/memberships": 3000,
    });
    expect(relationshipTexts(plan)).toEqual([
      "members.memberships 1-n memberships.member (member_id=id)",
    ]);
    const name = document.entities["members"]?.attributes.find((each) => each.name === "name");
    expect(name).toEqual({ name: "name", type: "text", bytes: 40 });
    const graph = entityGraphOf(document);
    if (!graph.ok) throw new Error(JSON.stringify(graph.issues));
    const [relationship] = graph.value.relationships;
    expect(
      joinRows(graph.value, {
        nodes: [
          { entity: "memberships", label: "memberships" },
          { entity: "members", label: "members" },
        ],
        edges: [{ relationship: relationship?.id ?? "", parent: 1, child: 0 }],
      }),
    ).toBe(3000);
  });
});
