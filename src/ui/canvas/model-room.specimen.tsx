/** The Model room with the hotel, one entity selected, and with nothing in it. */
import { emptyDocument } from "#document/schema.ts";
import { hotelDocument } from "../hotel-specimen-document.ts";
import { SpecimenStudio } from "../specimen-studio.tsx";
import { ModelRoom } from "./model-room.tsx";

export function Hotel() {
  return (
    <SpecimenStudio document={hotelDocument} session={{ entity: "reservation" }} height={720}>
      <ModelRoom />
    </SpecimenStudio>
  );
}

export function Empty() {
  return (
    <SpecimenStudio document={emptyDocument("Empty")} height={260}>
      <ModelRoom />
    </SpecimenStudio>
  );
}
