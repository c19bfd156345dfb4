/** SVG patterns of the six kinds of cost: the colour, with lines or dots that tell it without colour. */
import { type CostKind, type CostKindLook, costKinds } from "./cost-kinds.ts";

/** The fill of a kind within an SVG that holds `<FillPatterns id={id} />`. */
export function fillOf(id: string, kind: CostKind): string {
  return `url(#${id}-${kind})`;
}

const marks: Readonly<Record<CostKindLook["pattern"], string>> = {
  plain: "",
  dots: "M2 2h.01M6 6h.01",
  rising: "M-1 5 5-1M3 9 9 3",
  falling: "M-1 3 5 9M3-1 9 5",
  level: "M0 2h8M0 6h8",
  cross: "M0 4h8M4 0v8",
};

export function FillPatterns({ id }: { readonly id: string }) {
  return (
    <defs>
      {costKinds.map((look) => (
        <pattern
          key={look.kind}
          id={`${id}-${look.kind}`}
          width="8"
          height="8"
          patternUnits="userSpaceOnUse"
        >
          <rect width="8" height="8" fill={look.colour} />
          <path
            d={marks[look.pattern]}
            stroke={look.pattern === "dots" ? "var(--support-edge)" : "var(--pattern-line)"}
            strokeWidth={look.pattern === "dots" ? 2.4 : 1.3}
            strokeLinecap="round"
          />
        </pattern>
      ))}
    </defs>
  );
}

/** A small square filled like a kind, for legends and tables. */
export function KindSwatch({ id, kind }: { readonly id: string; readonly kind: CostKind }) {
  return (
    <svg className="swatch" width="14" height="12" aria-hidden="true">
      <FillPatterns id={id} />
      <rect
        x="0.5"
        y="0.5"
        width="13"
        height="11"
        fill={fillOf(id, kind)}
        stroke={kind === "support" ? "var(--support-edge)" : "none"}
      />
    </svg>
  );
}
