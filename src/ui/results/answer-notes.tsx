/** What a reader must know about an answer: limits of the search, warnings. */

export function AnswerNotes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <details className="notes small">
      <summary>{notes.length === 1 ? "1 note" : `${notes.length} notes`} on this answer</summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
