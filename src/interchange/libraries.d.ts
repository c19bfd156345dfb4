/**
 * What is used of two libraries that bring no types of their own. `@types/papaparse` would draw the
 * globals of Node into the folders that are compiled without them.
 */
declare module "papaparse" {
  interface ParseError {
    readonly type: "Quotes" | "Delimiter" | "FieldMismatch";
    readonly message: string;
    /** Index of the row, from 0. */
    readonly row?: number;
  }
  const Papa: {
    parse(
      text: string,
      options: {
        readonly newline: "\n";
        /** Between cells; "" to guess it. */
        readonly delimiter: string;
        readonly delimitersToGuess: readonly string[];
        readonly skipEmptyLines: false;
      },
    ): { readonly data: readonly (readonly string[])[]; readonly errors: readonly ParseError[] };
  };
  export = Papa;
}

declare module "jstat" {
  const jStat: {
    readonly studentt: {
      /** Quantile of Student's t distribution: P(T ≤ inv(p, d)) = p for d degrees of freedom. */
      inv(probability: number, degreesOfFreedom: number): number;
    };
  };
  export = jStat;
}
