import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { currentRun, ensureName, inspectedName } from "./address";
import { App } from "./components/App";
import { Failure } from "./components/Failure";
import { parseRun } from "./runpath";
import "./style.css";

const Inspector = lazy(() => import("./inspect/Inspector"));

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

const inspected = inspectedName();
if (inspected === undefined) ensureName();
createRoot(root).render(
  <StrictMode>
    {inspected === undefined ? (
      <App />
    ) : (
      <Failure>
        <Suspense>
          <Inspector name={inspected} path={parseRun(currentRun())} />
        </Suspense>
      </Failure>
    )}
  </StrictMode>,
);
