/** Good, doubtful or bad: a shape, a word and a colour. */
import type { KeyVerdict } from "#model/sharding-setup.ts";
import { Icon } from "../design/icon.tsx";

const icons = { good: "done", doubtful: "warning", bad: "error" } as const;

export function VerdictMark({ verdict }: { readonly verdict: KeyVerdict }) {
  return (
    <span className={`verdict ${verdict}`}>
      <Icon name={icons[verdict]} size={14} />
      {verdict}
    </span>
  );
}
