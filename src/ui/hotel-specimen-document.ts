/** The document of the hand-made hotel of `hotel-specimen.ts`, as far as specimens need one. */
import { emptyDocument, type StudioDocument } from "#document/schema.ts";
import { problem } from "./hotel-specimen.ts";

export const hotelDocument: StudioDocument = {
  ...emptyDocument("Hotel"),
  entities: Object.fromEntries(
    Object.values(problem.entityGraph.entities).map(({ name, count, attributes }) => [
      name,
      {
        count,
        attributes: attributes
          .filter((attribute) => attribute.foreignKeyOf === undefined)
          .map(({ name: attribute, type }) => ({ name: attribute, type })),
        identifier: name === "room" ? ["hotel", "number"] : ["id"],
      },
    ]),
  ),
  relationships: Object.fromEntries(
    problem.entityGraph.relationships.map(({ id, multiplicity, ends }) => [
      id,
      { multiplicity, ends },
    ]),
  ),
  statements: Object.fromEntries(
    problem.statements.map(({ id, label, group, text }) => [id, { label, group, text }]),
  ),
  timeline: {
    steps: 6,
    stepSeconds: problem.workload.timeline.stepSeconds,
    labels: ["00:00", "04:00", "08:00", "12:00", "16:00", "20:00"],
  },
  frequencies: problem.workload.curves,
};
