/** Hands a text to the person as a file. */

export function download(name: string, text: string, type = "application/json"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken its copy by the next turn.
  window.setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** `Hotel reservations`, `result` → `hotel-reservations.result.json`. */
export function fileName(project: string, kind?: string, ending = "json"): string {
  const base = project
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${base === "" ? "project" : base}${kind === undefined ? "" : `.${kind}`}.${ending}`;
}
