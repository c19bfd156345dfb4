/** The clipboard for buttons and menus, which may be refused: then what was copied last in this page stands in. */

let copiedLast: string | undefined;

/** Copies a text. */
export async function writeClipboard(text: string): Promise<void> {
  copiedLast = text;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Refused, or no secure page: pasting within this page still works.
  }
}

/** The text that was copied last, here or elsewhere; empty where there is none. */
export async function readClipboard(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return copiedLast ?? "";
  }
}
