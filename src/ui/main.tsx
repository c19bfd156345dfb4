/** Mounts the studio, or in development a page of specimens. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { FaultBoundary } from "./design/fault-boundary.tsx";
import "./design/tokens.css";
import "./design/base.css";

const place = document.getElementById("root");
if (!place) throw new Error("index.html has no #root");
const root = createRoot(place);

if (new URLSearchParams(window.location.search).has("specimen")) {
  const { Gallery } = await import("./gallery.tsx");
  root.render(<Gallery />);
} else {
  const { openStudio } = await import("./open-studio.tsx");
  const studio = await openStudio();
  root.render(
    <StrictMode>
      <FaultBoundary what="The studio">{studio}</FaultBoundary>
    </StrictMode>,
  );
}
