/** A run that is likely not to fit into the page's memory: how large it would be, and the ways on. */
import { pageBytes, type RunSize } from "#model/run-size.ts";
import { bytes, exactNumber, plural } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { optimiseAllTheSame, optimisePruned, useStudio } from "../studio-state.ts";

export function TooLarge({ size }: { readonly size: RunSize }) {
  const studio = useStudio();
  const fits = size.prunedBytes <= pageBytes;
  return (
    <section aria-labelledby="too-large-head" className="run-section">
      <div className="message caution" role="alert">
        <Icon name="warning" />
        <div>
          <h2 id="too-large-head">This run is likely to need more memory than a page has</h2>
          <p>
            About {bytes(size.bytes).text}, estimated from some {rounded(size.families)} tables,{" "}
            {rounded(size.gets)} ways to read them and{" "}
            {plural(size.distinctSteps, "step that differs", "steps that differ")} from the others;
            a page can count on about {bytes(pageBytes).text}. The browser may end the run before
            there is an answer. The project would not be lost.
          </p>
          <p>
            The pruned search takes about {bytes(size.prunedBytes).text}: by the summary tree, with
            plans of at most two Gets. It looks at less, so its answer may cost more.
            {!fits &&
              " That is more than a page can count on too; fewer statements, or fewer steps that differ, need less."}
          </p>
          <div className="actions">
            <button
              type="button"
              className={fits ? "button primary" : "button"}
              onClick={() => optimisePruned(studio)}
            >
              Prune the search
            </button>
            <button type="button" className="button" onClick={() => optimiseAllTheSame(studio)}>
              Search all the same
            </button>
          </div>
        </div>
      </div>
    </section>
  );
}

/** Two digits: it is an estimate. */
function rounded(value: number): string {
  return exactNumber(Number(value.toPrecision(2)));
}
