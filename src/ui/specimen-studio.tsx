/** A studio around a specimen: an engine that answers from given data, a document and a session in memory. */
import { type ReactNode, useState } from "react";
import { createStore } from "zustand/vanilla";
import { memoryStorage } from "#document/indexed-db.ts";
import type { StudioDocument } from "#document/schema.ts";
import { createDocumentStore } from "#document/store.ts";
import type { EngineClient } from "#worker/client.ts";
import { EntityHueContext, entityHues } from "./design/family-line.tsx";
import { freshSession, type Session } from "./session.ts";
import { check, createStudio, type RunState, StudioContext } from "./studio-state.ts";

export interface SpecimenStudioProps {
  readonly document: StudioDocument;
  readonly engine?: Partial<EngineClient>;
  /** Gets the key of the document, so that an answer can be made current. */
  readonly run?: (problemKey: string) => Partial<RunState>;
  readonly session?: Partial<Session>;
  readonly height?: number;
  readonly children: ReactNode;
}

const silentEngine: EngineClient = {
  optimise: () => new Promise(() => undefined),
  stop: () => undefined,
  prepare: () => undefined,
  recost: () => new Promise(() => undefined),
  planGroup: () => new Promise(() => undefined),
  fitCostModel: () => new Promise(() => undefined),
  explainFamily: () => new Promise(() => undefined),
  explainStatement: () => new Promise(() => undefined),
  explainPlan: () => new Promise(() => undefined),
  stopExplaining: () => undefined,
};

export function SpecimenStudio(props: SpecimenStudioProps) {
  const { document, engine, run, session, height, children } = props;
  const [studio] = useState(() => {
    const documents = createDocumentStore({ storage: memoryStorage(), document });
    const made = createStudio(
      documents,
      { ...silentEngine, ...engine },
      createStore<Session>(() => ({ ...freshSession, ...session })),
    );
    made.run.setState(run?.(check(document).key) ?? {});
    return made;
  });
  const names = Object.entries(document.entities).map(([id, entity]) => entity.name ?? id);
  return (
    <StudioContext value={studio}>
      <EntityHueContext value={entityHues(names)}>
        <div style={{ height: height ?? "100%" }}>{children}</div>
      </EntityHueContext>
    </StudioContext>
  );
}
