/** The way in for people who have tables already: paste them, or choose the file of a dump. */
import { useState } from "react";
import { ImportButton } from "../import-button.tsx";
import { useStudio } from "../studio-state.ts";

export function PasteSchema() {
  const { session } = useStudio();
  const [text, setText] = useState("");
  return (
    <section aria-labelledby="schema-head">
      <h2 id="schema-head">Begin with your tables</h2>
      <form
        className="paste-schema"
        aria-label="Begin with your tables"
        onSubmit={(event) => {
          event.preventDefault();
          session.setState({ importing: { text } });
        }}
      >
        <label htmlFor="paste-schema">Paste SQL (or CQL): a dump, or what you have at hand</label>
        <textarea
          id="paste-schema"
          className="input mono"
          rows={3}
          spellCheck={false}
          placeholder="CREATE TABLE customer (id int PRIMARY KEY, name varchar(40));"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="actions">
          <button type="submit" className="button primary" disabled={text.trim() === ""}>
            Read the tables
          </button>
          <ImportButton />
        </div>
      </form>
    </section>
  );
}
