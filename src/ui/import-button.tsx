/** Opens the import beside the room. */
import { Icon } from "./design/icon.tsx";
import { useStudio } from "./studio-state.ts";

export function ImportButton() {
  const { session } = useStudio();
  return (
    <button
      type="button"
      className="button small"
      onClick={() => session.setState({ importing: {} })}
    >
      <Icon name="upload" size={14} />
      Import SQL or CQL
    </button>
  );
}
