/** A query's disc, an update's diamond: the same two marks in lists, charts and plans. */

export function KindMark({ kind }: { readonly kind: "query" | "update" }) {
  return (
    <svg className={`kind-mark ${kind}`} width="10" height="10" viewBox="0 0 10 10">
      <title>{kind}</title>
      {kind === "query" ? <circle cx="5" cy="5" r="4" /> : <path d="M5 0.5 9.5 5 5 9.5 0.5 5z" />}
    </svg>
  );
}
