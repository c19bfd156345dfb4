/** The studio's icons: 16 × 16 strokes in the colour of the text. Decorative; the word stands beside or in a label. */

const paths = {
  start: "M2.5 7.5 8 3l5.5 4.5M4 7v6h8V7M7 13V9.5h2V13",
  model: "M2 2.5h5v4H2zM9 9.5h5v4H9zM4.5 6.5v5H9",
  workload: "M2 13.5h12M2.5 10.5 5.5 6l3 2.5L13.5 3",
  optimise:
    "M3 4.5h7M13 4.5h0M3 11.5h0M6 11.5h7M11.5 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4.5 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  results: "M2.5 13.5h11M3.5 11V8h2.5v3zM7 11V5h2.5v6zM10.5 11V2.5H13V11z",
  sharding:
    "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5V5M13.6 11.3l-3-1.8M2.4 11.3l3-1.8",
  undo: "M5.5 3 2.5 6l3 3M2.5 6h7a3.5 3.5 0 0 1 0 7H6",
  redo: "M10.5 3l3 3-3 3M13.5 6h-7a3.5 3.5 0 0 0 0 7H10",
  play: "M4.5 3v10l8-5z",
  pause: "M5 3v10M11 3v10",
  previous: "M10 3 5 8l5 5",
  next: "M6 3l5 5-5 5",
  stop: "M4 4h8v8H4z",
  table: "M2.5 3h11v10h-11zM2.5 6.5h11M2.5 10h11M6.5 6.5V13",
  chart: "M2.5 2.5v11h11M5 11V8M8 11V5M11 11V7",
  light:
    "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1",
  dark: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  system: "M2 3h12v8H2zM6 13.5h4M8 11v2.5",
  help: "M6 6a2 2 0 1 1 2.8 1.8c-.5.3-.8.6-.8 1.2v.5M8 12v.2M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  plus: "M8 3v10M3 8h10",
  warning: "M8 2 1.5 13.5h13zM8 6.5V10M8 11.8v.2",
  error: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 4.5V9M8 11.3v.2",
  done: "M3 8.5 6.5 12 13 4.5",
  key: "M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8.3 7.7 3 13M4.5 11.5 6 13",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
  upload: "M8 11V2.5M4.5 6 8 2.5 11.5 6M3 13.5h10",
  layout: "M2.5 6h3.5v4H2.5zM10 2.5h3.5v4H10zM10 9.5h3.5v4H10zM6 8h2M10 4.5H8v7h2",
  trash: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 9h6l.5-9",
  down: "M3.5 6 8 10.5 12.5 6",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  projects: "M2 12.5v-9h4l1.5 2H14v7z",
  share: "M8 9.5V2M5.5 4.5 8 2l2.5 2.5M4 7H3v7h10V7h-1",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  pencil: "M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2zM9.3 4.5l2.2 2.2",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 13.5 13.5",
  scenario: "M3 13V3M3 3h6l-1 2 1 2H3M9 10h4M13 10l-2-2M13 10l-2 2",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={name === "play" || name === "stop" ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
