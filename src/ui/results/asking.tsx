/** What stands where an explanation will be, or where none can be had. */
import type { Explaining } from "./use-explanation.ts";
import { searchSeconds } from "./why-words.ts";

export function Asking(props: {
  readonly explaining: Exclude<Explaining<object>, { state: "told" }>;
  /** About how many searches it takes. */
  readonly about: number;
  readonly onGiveUp: () => void;
}) {
  const { explaining, about, onGiveUp } = props;
  if (explaining.state === "untold")
    return (
      <p className="quiet" role="status">
        {explaining.reason}
      </p>
    );
  return (
    <div className="asking" role="status">
      <span className="spinner" aria-hidden="true" />
      <span>
        {about === 1
          ? `Searching for the best answer under this condition, for up to ${searchSeconds} s…`
          : `Searching: ${explaining.searches} of about ${about} searches done, each takes up to ${searchSeconds} s…`}
      </span>
      <button type="button" className="button small" onClick={onGiveUp}>
        Give up
      </button>
    </div>
  );
}
