/** The Model room: the entity graph, and beside it the same graph as a list with its numbers to edit. */
import { useMemo, useState } from "react";
import { setPositions } from "#document/commands.ts";
import type { EntityId } from "#document/schema.ts";
import { Split } from "../design/split.tsx";
import { useChecked, useDocument, useEdit, useSession, useStudio } from "../studio-state.ts";
import { EntityCanvas } from "./entity-canvas.tsx";
import { EntityPanel } from "./entity-panel.tsx";
import { entityBoxes, entityEdges } from "./graph-rows.ts";

export function ModelRoom() {
  const { session } = useStudio();
  const edit = useEdit();
  const project = useDocumentParts();
  const selectedId = useSession((each) => each.entity);
  const { issues } = useChecked();
  const { entities, relationships, positions } = project;
  const boxes = useMemo(() => entityBoxes(entities, relationships), [entities, relationships]);
  const edges = useMemo(() => entityEdges(relationships), [relationships]);
  const faulty = useMemo(
    () =>
      new Set(
        issues
          .filter((issue) => issue.severity === "error" && issue.place.startsWith("entities/"))
          .map((issue) => issue.place.split("/")[1] ?? ""),
      ),
    [issues],
  );
  const [wish, setWish] = useState<{ readonly entity: EntityId }>();
  const selected = boxes.find((box) => box.id === selectedId);

  if (boxes.length === 0)
    return (
      <div className="empty">
        <h2>No entities yet</h2>
        <p>Open an example or a project file to see its entities and how they are related.</p>
        <div className="actions">
          <a className="button primary" href="#/start">
            See the examples
          </a>
        </div>
      </div>
    );
  return (
    <Split
      name="model-panel"
      label="Width of the entity panel"
      direction="across"
      sized="second"
      initial={370}
      least={300}
      most={640}
      first={
        <EntityCanvas
          // A new project is fitted into view anew.
          key={project.projectId}
          boxes={boxes}
          edges={edges}
          positions={positions}
          selected={selected?.id}
          faulty={faulty}
          wish={wish}
          onSelect={(entity) => session.setState({ entity })}
          onMove={(moved) => {
            const [id = ""] = Object.keys(moved);
            const name = boxes.find((box) => box.id === id)?.name ?? id;
            edit(`Move ${name}`, (document) => setPositions(document, moved));
          }}
          onArrange={(arranged) =>
            edit("Arrange the entities", (document) => setPositions(document, arranged))
          }
        />
      }
      second={
        <EntityPanel
          boxes={boxes}
          selected={selected}
          issues={issues}
          onPick={(entity) => {
            session.setState({ entity });
            // A small graph is in view as a whole.
            if (boxes.length > 15) setWish({ entity });
          }}
        />
      }
    />
  );
}

function useDocumentParts() {
  const entities = useDocument((document) => document.entities);
  const relationships = useDocument((document) => document.relationships);
  const positions = useDocument((document) => document.layout.positions);
  const { documents } = useStudio();
  return { entities, relationships, positions, projectId: documents.getState().projectId };
}
