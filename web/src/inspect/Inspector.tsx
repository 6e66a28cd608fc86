import { Button } from "@cloudflare/kumo/components/button";
import { useState } from "react";
import { conversationPath, type Inspected } from "../address";
import { ConnectionStatus } from "../components/ConnectionStatus";
import { Problem } from "../components/Problem";
import { Refused } from "../components/Refused";
import { Wordmark } from "../components/Wordmark";
import { useRoot } from "../hooks/useAbout";
import { useTitle } from "../hooks/useTitle";
import type { RunPath } from "../runpath";
import { CostTable } from "./CostTable";
import { InspectedSection, InspectedTable } from "./InspectedTable";
import type { Inspection } from "./inspection";
import { useInspection } from "./useInspection";

interface InspectorProps {
  object: Inspected;
  /** The path of the inspected helper; empty for the agent itself. */
  path: RunPath;
}

/** Inspector shows the content of an agent's storage while it changes, for debugging. */
export default function Inspector({ object, path }: InspectorProps) {
  const { phase, refusal, inspection, failure } = useInspection(object, path);
  const root = useRoot();
  const name = path.at(-1)?.name ?? object.name;
  useTitle(`Inspector of ${name}`);
  const [whole, setWhole] = useState(false);
  return (
    <div className="mx-auto flex min-h-dvh max-w-400 flex-col px-4 pb-8 sm:px-6">
      <header className="bank sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-x-3 pt-2">
        <Wordmark />
        <h1 className="min-w-0 truncate font-mono text-sm">
          {inspection?.class ?? "…"} / {name}
        </h1>
        <div className="ml-auto flex items-center gap-2">
          <ConnectionStatus phase={phase} label="Connection" />
          <Button size="sm" aria-pressed={whole} onClick={() => setWhole(!whole)}>
            Whole texts
          </Button>
          <a
            className="px-2 text-sm text-river underline underline-offset-2"
            href={conversationPath(root?.key ?? object.agent, object.name, path)}
          >
            Conversation
          </a>
        </div>
      </header>
      <main className="flex flex-col gap-6">
        {refusal && <Refused refusal={refusal} onRetry={undefined} />}
        {failure && <Problem title="The storage cannot be read" text={failure} onRetry={undefined} />}
        {inspection && <CostTable object={object} path={path} inspection={inspection} />}
        {inspection?.sections.map((table) => (
          <InspectedSection key={table.name} table={table} whole={whole} />
        ))}
        {inspection && <Tables inspection={inspection} />}
        {inspection?.tables
          .filter(({ total }) => total > 0)
          .map((table) => (
            <InspectedTable key={table.name} table={table} whole={whole} />
          ))}
      </main>
    </div>
  );
}

/** Tables links to the tables, and names those that are empty. */
function Tables({ inspection: { tables } }: { inspection: Inspection }) {
  const filled = tables.filter(({ total }) => total > 0);
  const empty = tables.filter(({ total }) => total === 0).map(({ name }) => name);
  return (
    <div className="flex flex-col gap-3">
      <nav aria-label="Tables" className="flex flex-wrap gap-1.5 font-mono text-xs">
        {filled.map(({ name, total }) => (
          <a key={name} href={`#${name}`} className="rounded-full bg-note px-2.5 py-1">
            {name} <span className="text-quiet">{total}</span>
          </a>
        ))}
      </nav>
      {empty.length > 0 && <p className="text-xs text-quiet">Empty: {empty.join(", ")}</p>}
    </div>
  );
}
