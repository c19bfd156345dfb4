import { describe, expect, it } from "vitest";
import { completeStatement } from "./statement-completion.ts";
import { drawnGraph } from "./statement-test-graphs.ts";

const graph = drawnGraph(
  {
    Guest: "*id uuid, name text, home town text",
    Reservation: "*id uuid, night date",
    Hotel: "*id uuid, city text",
  },
  ["Guest[guest] 1:N Reservation[reservations]", "Hotel[hotel] 1:N Reservation[bookings]"],
);

/** Proposals where the bar stands. */
function at(text: string): readonly string[] {
  const place = text.indexOf("|");
  const { options } = completeStatement(text.replace("|", ""), place, graph);
  return options.map(({ text: proposed }) => proposed);
}

describe("completing a statement", () => {
  it("begins with the verbs", () => {
    expect(at("|")).toContain("SELECT");
    expect(at("SEL|")).toContain("SELECT");
  });

  it("proposes entities where entities stand", () => {
    const entities = ["Guest", "Reservation", "Hotel"];
    expect(at("SELECT x FROM |")).toEqual(entities);
    expect(at("SELECT x FROM Gu|")).toEqual(entities);
    expect(at("INSERT INTO |")).toEqual(entities);
    expect(at("SELECT x FROM Guest JOIN |")).toEqual(entities);
  });

  it("proposes in FROM the roles that lead on, and behind columns attributes too", () => {
    expect(at("SELECT x FROM Guest.|")).toEqual(["reservations"]);
    expect(at("SELECT x FROM Guest.reservations.|")).toEqual(["guest", "hotel"]);
    expect(at("SELECT Guest.| FROM Guest")).toEqual(["id", "name", '"home town"', "reservations"]);
    expect(at("SELECT Guest.na| FROM Guest")).toContain("name");
    expect(at("SELECT Guest.reservations.hotel.| FROM Guest")).toEqual(["id", "city", "bookings"]);
  });

  it("knows the names that FROM gives, aliases and roles, wherever it stands", () => {
    const from = "FROM Guest.reservations r WHERE";
    expect(at(`SELECT | ${from}`).slice(0, 3)).toEqual(["Guest", "reservations", "r"]);
    expect(at(`SELECT r.| ${from}`)).toEqual(["id", "night", "guest", "hotel"]);
    expect(at(`SELECT x ${from} reservations.|`)).toContain("night");
    expect(at(`SELECT x ${from} hotel.|`)).toContain("city");
    expect(at(`SELECT x ${from} r.night = ? AND |`)).toContain("r");
  });

  it("proposes own attributes to set and roles to connect", () => {
    expect(at("UPDATE Hotel SET |")).toEqual(["id", "city"]);
    expect(at("INSERT INTO Reservation SET id = ?, |")).toEqual(["id", "night"]);
    expect(at("INSERT INTO Reservation SET id = ? AND CONNECT TO |")).toEqual(["guest", "hotel"]);
    expect(at("DISCONNECT Guest(?) FROM |")).toEqual(["reservations"]);
  });

  it("goes on with keywords behind a complete part", () => {
    expect(at("SELECT Guest.id |")).toEqual(["FROM"]);
    expect(at("SELECT Guest.id FROM Guest |")).toContain("WHERE");
    expect(at("SELECT Guest.id FROM Guest ORDER BY Guest.name |")).toContain("DESC");
  });

  it("proposes nothing where a value stands, or in comments and strings", () => {
    expect(at("SELECT x FROM Guest WHERE Guest.id = |")).toEqual([]);
    expect(at("SELECT x FROM Guest WHERE Guest.name = 'a|'")).toEqual([]);
    expect(at("SELECT x FROM Guest -- |")).toEqual([]);
    expect(at("SELECT x FROM Guest LIMIT |")).toEqual([]);
    expect(at("SELECT x FROM Nobody.|")).toEqual([]);
  });

  it("replaces the word that was begun", () => {
    const text = "SELECT Guest.na FROM Guest";
    expect(completeStatement(text, 15, graph).from).toBe(13);
  });
});
