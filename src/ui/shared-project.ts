/**
 * A project that comes by a link: it is shown to be read, kept nowhere, and found again by a reload of
 * the same tab. The packing (`#interchange/share-link.ts`) is loaded when there is a link.
 */
import { readDocument } from "#document/read.ts";
import type { DocumentStore } from "#document/store.ts";
import type { Issue } from "#model/issue.ts";

/** As `shareMark` of the packing, which is not loaded for asking. */
const mark = "#share=";
/** Where the tab remembers the link it shows; the address names rooms again. */
const tabKey = "tidetable.shared";

export function isSharedLink(hash: string): boolean {
  return hash.startsWith(mark);
}

/**
 * When the page opens: the project of the link in the address, else of the one the tab showed before a
 * reload. Returns undefined where there is none, no issues where it is shown, else why it is not.
 */
export async function openSharedAtFirst(
  documents: DocumentStore,
): Promise<readonly Issue[] | undefined> {
  forgetWithIt(documents);
  const { hash } = window.location;
  const fragment = isSharedLink(hash) ? hash : remembered();
  return fragment === undefined ? undefined : openSharedLink(documents, fragment);
}

/** Shows the project of a fragment; returns why that cannot be done. The address is cleared of it. */
export async function openSharedLink(
  documents: DocumentStore,
  fragment: string,
): Promise<readonly Issue[]> {
  if (isSharedLink(window.location.hash)) window.history.replaceState(null, "", "#/model");
  const { textOfFragment } = await import("#interchange/share-link.ts");
  const text = textOfFragment(fragment);
  if (!text.ok) return text.issues;
  const read = readDocument(text.value);
  if (!read.ok) return read.issues;
  const issues = await documents.getState().openShared(read.value);
  if (issues.length === 0) remember(fragment);
  return issues;
}

/** Once another project, or a copy of this one, is on the screen, a reload finds that. */
function forgetWithIt(documents: DocumentStore): void {
  documents.subscribe((now, before) => {
    if (before.reading === "shared" && now.reading !== "shared") remember(undefined);
  });
}

function remembered(): string | undefined {
  try {
    return sessionStorage.getItem(tabKey) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(fragment: string | undefined): void {
  try {
    if (fragment === undefined) sessionStorage.removeItem(tabKey);
    else sessionStorage.setItem(tabKey, fragment);
  } catch {
    // Blocked or full: the link itself is still where it came from.
  }
}
