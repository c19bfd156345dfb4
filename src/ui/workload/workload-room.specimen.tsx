/** The Workload room: a day of the hotel, a statement with a mistake in it, and nothing at all. */
import { emptyDocument } from "#document/schema.ts";
import { hotelDocument } from "../hotel-specimen-document.ts";
import { SpecimenStudio } from "../specimen-studio.tsx";
import { WorkloadRoom } from "./workload-room.tsx";

export function Day() {
  return (
    <SpecimenStudio document={hotelDocument} session={{ step: 3, statement: "q1" }} height={720}>
      <WorkloadRoom />
    </SpecimenStudio>
  );
}

const text = "SELECT hotel.name\nFROM hotell\nWHERE hotel.city = ?";

export function Mistake() {
  const statements = { ...hotelDocument.statements, q1: { label: "hotels of a city", text } };
  return (
    <SpecimenStudio
      document={{ ...hotelDocument, statements }}
      session={{ statement: "q1" }}
      height={720}
    >
      <WorkloadRoom />
    </SpecimenStudio>
  );
}

export function Empty() {
  return (
    <SpecimenStudio document={emptyDocument("Empty")} height={260}>
      <WorkloadRoom />
    </SpecimenStudio>
  );
}
