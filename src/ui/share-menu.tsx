/** The header's way of passing a project on: a link that holds it, or a file. */
import { useEffect, useRef, useState } from "react";
import { writeDocument } from "#document/read.ts";
import type { StudioDocument } from "#document/schema.ts";
import type { Issue, Result } from "#model/issue.ts";
import { exactNumber } from "./design/format.ts";
import { Icon } from "./design/icon.tsx";
import { download, fileName } from "./download.ts";
import { useMenuPanel } from "./menu-panel.ts";
import { useCommands } from "./studio-commands.ts";
import { useDocumentState } from "./studio-state.ts";
import { texts } from "./texts.ts";
import "./projects.css";

const words = texts.share;

export function ShareMenu() {
  const { isOpen, toggle, close, holder, panel } = useMenuPanel();
  useCommands([
    {
      id: "panel share",
      words: words.heading,
      group: texts.commands.groups.project,
      isPossible: !isOpen,
      run: toggle,
    },
  ]);
  return (
    <span ref={holder} className="project-menu">
      <button
        type="button"
        className="button plain icon-only"
        aria-label={words.share}
        title={words.share}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <Icon name="share" />
      </button>
      {isOpen && (
        <section ref={panel} className="project-panel at-end" aria-label={words.share}>
          <header>
            <h2>{words.heading}</h2>
            <button
              type="button"
              className="button plain icon-only"
              aria-label={texts.common.close}
              onClick={close}
            >
              <Icon name="close" />
            </button>
          </header>
          <ShareLink />
          <p className="quiet small">{words.note}</p>
        </section>
      )}
    </span>
  );
}

interface Link {
  readonly address: string;
  readonly isLong: boolean;
}

function ShareLink() {
  const document = useDocumentState((state) => state.history.present);
  const [link, setLink] = useState<Result<Link>>();
  useEffect(() => {
    let current = true;
    void linkTo(document).then((made) => current && setLink(made));
    return () => {
      current = false;
    };
  }, [document]);
  return (
    <>
      {!link && <p className="quiet">{words.packing}</p>}
      {link?.ok && <CopyLink link={link.value} />}
      {link && !link.ok && <Refusal issues={link.issues} />}
      <div className="project-actions">
        <button
          type="button"
          className="button small"
          onClick={() => download(fileName(document.name), writeDocument(document))}
        >
          <Icon name="download" size={14} />
          {words.file}
        </button>
      </div>
    </>
  );
}

async function linkTo(document: StudioDocument): Promise<Result<Link>> {
  const { shareFragment, easyCharacters } = await import("#interchange/share-link.ts");
  // Without the spaces and line breaks that a file has for its readers.
  const fragment = shareFragment(JSON.stringify(JSON.parse(writeDocument(document))));
  if (!fragment.ok) return fragment;
  const { origin, pathname } = window.location;
  const address = `${origin === "null" ? "file://" : origin}${pathname}#${fragment.value}`;
  const value = { address, isLong: address.length > easyCharacters };
  return { ok: true, value, warnings: [] };
}

function CopyLink({ link }: { readonly link: Link }) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link has not been copied.
  useEffect(() => setSaid(""), [link.address]);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link.address);
      setSaid(words.copied);
    } catch {
      setSaid(words.notCopied);
    }
  };
  const size = exactNumber(link.address.length);
  return (
    <>
      <div className="share-link">
        <input
          ref={field}
          className="input mono"
          readOnly
          aria-label={words.link}
          value={link.address}
          onFocus={(event) => event.target.select()}
        />
        <button type="button" className="button primary" onClick={() => void copy()}>
          <Icon name="copy" size={14} />
          {words.copy}
        </button>
      </div>
      <p className="small" role="status">
        {said}
      </p>
      <p className="quiet small">{link.isLong ? words.long(size) : words.size(size)}</p>
    </>
  );
}

function Refusal({ issues }: { readonly issues: readonly Issue[] }) {
  return (
    <div className="message caution" role="alert">
      <Icon name="warning" />
      <div>
        {issues.map(({ message, hint }) => (
          <p key={message}>
            {message} {hint}
          </p>
        ))}
      </div>
    </div>
  );
}
