/** The table of keys that an example asks about: for each row the verdict that the figures give, with the reason. */
import { useMemo } from "react";
import type { KeyQuestion } from "#model/sharding-setup.ts";
import type { KeyAdvice } from "#sharding/key-adviser.ts";
import type { LabWork } from "#worker/lab-client.ts";
import { DataTable } from "../design/data-table.tsx";
import { perCent } from "../design/format.ts";
import { useDocument } from "../studio-state.ts";
import { useAdviceOn } from "./use-lab.ts";
import { VerdictMark } from "./verdict-mark.tsx";

const none: readonly KeyQuestion[] = [];

export function KeyQuestions(props: {
  readonly workOn: (entityId: string) => LabWork | undefined;
}) {
  const questions = useDocument((document) => document.sharding?.keys) ?? none;
  return questions.length > 0 ? <Questions questions={questions} workOn={props.workOn} /> : null;
}

function Questions(props: {
  readonly questions: readonly KeyQuestion[];
  readonly workOn: (entityId: string) => LabWork | undefined;
}) {
  const { questions, workOn } = props;
  const tables = useMemo(() => [...new Set(questions.map(({ table }) => table))], [questions]);
  const works = useMemo(() => tables.flatMap((table) => workOn(table) ?? []), [tables, workOn]);
  const { advice, progress } = useAdviceOn(works);
  const found = ({ table, key }: KeyQuestion): KeyAdvice | undefined =>
    advice[tables.indexOf(table)]?.find((each) => each.key.join() === key.join());
  return (
    <section className="key-questions" aria-labelledby="questions-head">
      <header className="lab-view-head">
        <h2 id="questions-head">The pattern’s table of keys</h2>
        {progress !== undefined && (
          <span className="quiet small" role="status">
            Trying keys, {perCent(progress)}
          </span>
        )}
      </header>
      <DataTable
        caption="Keys with verdicts and reasons"
        rows={questions}
        rowKey={({ table, key }) => `${table} ${key.join()}`}
        columns={[
          {
            head: "Key",
            text: true,
            cell: ({ table, key }) => (
              <span className="mono">
                {key.join(", ")} of {table}
              </span>
            ),
          },
          {
            head: "Verdict",
            text: true,
            cell: (question) => {
              const own = found(question);
              return own ? <VerdictMark verdict={own.verdict} /> : "…";
            },
          },
          {
            head: "Reason",
            text: true,
            cell: (question) => <span className="reason">{found(question)?.reason ?? ""}</span>,
          },
        ]}
      />
    </section>
  );
}
