/** The list of keys, beside the room and not over it. */
import { useEffect, useRef } from "react";
import { Icon } from "./design/icon.tsx";
import { keyGroups } from "./studio-keys.ts";
import { useStudio } from "./studio-state.ts";

export function KeyList() {
  const { session } = useStudio();
  const closeButton = useRef<HTMLButtonElement>(null);
  useEffect(() => closeButton.current?.focus(), []);
  return (
    <aside className="key-list" aria-label="Keys">
      <header>
        <h2>Keys</h2>
        <button
          ref={closeButton}
          type="button"
          className="button plain icon-only"
          aria-label="Close the list of keys"
          onClick={() => session.setState({ helpOpen: false })}
        >
          <Icon name="close" />
        </button>
      </header>
      {keyGroups.map((group) => (
        <section key={group.name}>
          <h3>{group.name}</h3>
          <dl>
            {group.keys.map(({ keys, does }) => (
              <div key={does}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="quiet small">On a Mac, ⌘ stands for Ctrl.</p>
    </aside>
  );
}
