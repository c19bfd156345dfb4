/** The list of keys, beside the room and not over it. */
import { useEffect, useRef } from "react";
import { Icon } from "./design/icon.tsx";
import { keyGroups } from "./studio-keys.ts";
import { useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";

export function KeyList() {
  const studio = useStudio();
  const { session } = studio;
  const closeButton = useRef<HTMLButtonElement>(null);
  useEffect(() => closeButton.current?.focus(), []);
  return (
    <aside className="key-list" aria-label={texts.keys.title}>
      <header>
        <h2>{texts.keys.title}</h2>
        <button
          ref={closeButton}
          type="button"
          className="button plain icon-only"
          aria-label={texts.keys.close}
          onClick={() => session.setState({ helpOpen: false })}
        >
          <Icon name="close" />
        </button>
      </header>
      {keyGroups(studio).map((group) => (
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
      <p className="quiet small">{texts.keys.mac}</p>
    </aside>
  );
}
