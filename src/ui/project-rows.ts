/** What the lists of projects show: names, and when each was saved in the words of a person. */
import type { ProjectSummary } from "#document/storage.ts";
import { texts } from "./texts.ts";

export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly saved: string;
  readonly isOpen: boolean;
}

/** Rows in the order of the storage, last saved first; `now` in milliseconds since 1970. */
export function projectRows(
  projects: readonly ProjectSummary[],
  openId: string,
  now: number,
): readonly ProjectRow[] {
  return projects.map(({ id, name, savedAt }) => ({
    id,
    name,
    saved: savedWords(savedAt, now),
    isOpen: id === openId,
  }));
}

const minute = 60_000;
const hour = 60 * minute;

function savedWords(savedAt: number, now: number): string {
  const { savedAgo } = texts.projects;
  // A clock may have been set back since.
  const age = Math.max(0, now - savedAt);
  if (age < minute) return savedAgo.now;
  if (age < hour) return savedAgo.minutes(Math.floor(age / minute));
  if (age < 24 * hour) return savedAgo.hours(Math.floor(age / hour));
  return savedAgo.on(dateWords(savedAt));
}

/** A day and a time, as `3 Dec 2026, 14:02`. */
export function dateWords(time: number): string {
  return new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
