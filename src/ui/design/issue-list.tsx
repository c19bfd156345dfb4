/** Issues in words: what, and how to mend it. */
import type { Issue } from "#model/issue.ts";
import { Icon } from "./icon.tsx";

export interface IssueListProps {
  readonly issues: readonly Issue[];
  /** Beside each issue, e.g. a button that goes there. */
  readonly action?: (issue: Issue) => React.ReactNode;
}

export function IssueList({ issues, action }: IssueListProps) {
  if (issues.length === 0) return null;
  return (
    <ul className="issue-list">
      {issues.map((issue) => (
        <li
          key={`${issue.place} ${issue.message} ${issue.span?.start ?? ""}`}
          className={issue.severity === "error" ? "message error" : "message caution"}
        >
          <Icon name={issue.severity === "error" ? "error" : "warning"} />
          <div>
            <span className="visually-hidden">
              {issue.severity === "error" ? "Error: " : "Warning: "}
            </span>
            {issue.message} {issue.hint && <span className="quiet-hint">{issue.hint}</span>}
            {action?.(issue)}
          </div>
        </li>
      ))}
    </ul>
  );
}
