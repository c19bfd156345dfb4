/** The strict objects of both files: a field that is not known is an issue, never dropped. */
import { z } from "zod";

/** An object with these fields and no others; `what` names it in hints. */
export function fields<Shape extends z.ZodRawShape>(what: string, shape: Shape) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `Remove it or correct its spelling; the fields of ${what} are ${known}.`
        : `Write ${what} as an object with the fields ${known}.`,
  });
}
