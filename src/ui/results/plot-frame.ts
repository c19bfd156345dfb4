/** The measures that charts over time share, in pixels; `--gutter` in tokens.css is `gutter`. */
export const gutter = 340;
export const axisWidth = 58;
export const plotRight = 20;
export const axisHeight = 24;
