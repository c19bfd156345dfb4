/**
 * Pictures as files. An SVG on the page takes its looks from style sheets; here they are written into a copy,
 * so that the file looks the same anywhere.
 */

export interface Picture {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** What of an element's computed style makes its looks. */
const looks = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
] as const;

const margin = 16;
const titleHeight = 20;

/** All SVGs marked with `data-picture` within an element, each where it stands, under its name. */
export function pictureOf(container: HTMLElement): Picture | undefined {
  const drawings = [...container.querySelectorAll<SVGSVGElement>("svg[data-picture]")];
  if (drawings.length === 0) return undefined;
  const boxes = drawings.map((each) => each.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left + 2 * margin;
  const height = Math.max(...boxes.map((box) => box.bottom)) - top + 2 * margin + titleHeight;
  const style = getComputedStyle(document.body);
  const parts = drawings.map((each, index) => {
    const box = boxes[index] as DOMRect;
    const x = box.left - left + margin;
    const y = box.top - top + margin + titleHeight;
    const name = escaped(each.dataset["picture"] ?? "");
    const title = `<text x="${x}" y="${y - 6}" font-family="${escaped(style.fontFamily)}" font-size="13" font-weight="650" fill="${style.color}">${name}</text>`;
    return `${title}<g transform="translate(${x} ${y})">${withLooks(each)}</g>`;
  });
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${style.backgroundColor}"/>${parts.join("")}</svg>`;
  return { text, width, height };
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function withLooks(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [index, original] of originals.entries()) {
    const style = getComputedStyle(original);
    for (const name of looks) {
      const value = style.getPropertyValue(name);
      if (value !== "") copies[index]?.setAttribute(name, value);
    }
    copies[index]?.removeAttribute("class");
  }
  return new XMLSerializer().serializeToString(copy);
}

/** The picture in twice as many pixels; undefined where the browser cannot draw it. */
export async function pngOf({ text, width, height }: Picture): Promise<Blob | undefined> {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * 2);
    canvas.height = Math.ceil(height * 2);
    const pen = canvas.getContext("2d");
    if (!pen) return undefined;
    pen.scale(2, 2);
    pen.drawImage(image, 0, 0);
    return await new Promise((resolve) => {
      canvas.toBlob((blob) => resolve(blob ?? undefined), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 0);
}
