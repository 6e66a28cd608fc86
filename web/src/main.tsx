import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { askAbout } from "./about";
import { currentRun, ensureName, inspected } from "./address";
import { App } from "./components/App";
import { Failure } from "./components/Failure";
import { parseRun } from "./runpath";
import "./style.css";

const Inspector = lazy(() => import("./inspect/Inspector"));

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

void askAbout();
const object = inspected();
if (object === undefined) ensureName();
createRoot(root).render(
  <StrictMode>
    {object === undefined ? (
      <App />
    ) : (
      <Failure>
        <Suspense>
          <Inspector object={object} path={parseRun(currentRun())} />
        </Suspense>
      </Failure>
    )}
  </StrictMode>,
);
