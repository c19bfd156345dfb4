/** The measures that charts over time share, in pixels; the room left of a plot is `--gutter` in tokens.css. */
export const axisWidth = 58;
export const plotRight = 20;
export const axisHeight = 24;
