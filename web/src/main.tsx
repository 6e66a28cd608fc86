import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ensureName } from "./address";
import { App } from "./components/App";
import "./style.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

ensureName();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
