/**
 * Every specimen on a page, for development and for screenshots: `/?specimen=NAME` shows one,
 * `/?specimen` lists them; `&theme=dark` shows it dark. Not part of what the studio loads.
 */
import { type ComponentType, Suspense, use } from "react";
import { showTheme } from "./session.ts";
import "./studio.css";

interface Specimen {
  readonly [name: string]: ComponentType;
}

const files = import.meta.glob<Specimen>("./**/*.specimen.tsx");

/** `./results/cost-chart.specimen.tsx` → `cost-chart`. */
function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(".specimen.tsx", "");
}

const loaded = new Map<string, Promise<Specimen>>();

function load(path: string): Promise<Specimen> {
  const known = loaded.get(path);
  if (known) return known;
  const promise = files[path]?.() ?? Promise.resolve({});
  loaded.set(path, promise);
  return promise;
}

export function Gallery() {
  const query = new URLSearchParams(window.location.search);
  const wanted = query.get("specimen");
  const theme = query.get("theme");
  if (theme === "light" || theme === "dark") showTheme(theme);
  const path = Object.keys(files).find((each) => nameOf(each) === wanted);
  if (path)
    return (
      <Suspense>
        <SpecimenPage path={path} />
      </Suspense>
    );
  return (
    <main style={{ padding: 24 }}>
      <h1>Specimens</h1>
      <ul>
        {Object.keys(files).map((each) => (
          <li key={each}>
            <a href={`?specimen=${nameOf(each)}`}>{nameOf(each)}</a>
          </li>
        ))}
      </ul>
    </main>
  );
}

function SpecimenPage({ path }: { readonly path: string }) {
  const specimen = use(load(path));
  return (
    <main style={{ height: "100%" }}>
      {Object.entries(specimen).map(([name, View]) => (
        <View key={name} />
      ))}
    </main>
  );
}
