import { ArrowSquareOutIcon } from "@phosphor-icons/react";
import type { ServerChanges } from "../hooks/useServerChanges";
import type { Server } from "../servers";
import { LeftOutList } from "./LeftOutList";
import { OfferedList } from "./OfferedList";
import { QuietButton } from "./QuietButton";
import { RemoveServer } from "./RemoveServer";
import { StateWord } from "./StateWord";

interface ServerEntryProps {
  server: Server;
  changes: ServerChanges;
  /** Whether it can be removed. */
  editable: boolean;
}

/** ServerEntry shows a server: how far the agent is with it, and what it offers. */
export function ServerEntry({ server, changes, editable }: ServerEntryProps) {
  const { id, name, url, state, error, signIn, instructions, tools, prompts, resources, leftOut } = server;
  return (
    <li aria-label={name} className="rounded-xl border border-line bg-surface px-3 pt-2.5 pb-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-2">
        <h3 className="min-w-0 truncate font-semibold">{name}</h3>
        <output className="ml-auto">
          <StateWord {...state} />
        </output>
      </div>
      <p className="font-mono text-xs wrap-anywhere text-quiet">{url}</p>
      {instructions && <p className="mt-1 line-clamp-3 wrap-anywhere text-quiet">{instructions}</p>}
      {error && <p className="mt-1 wrap-anywhere text-danger">{error}</p>}
      {signIn && (
        <a
          className="mt-2 mb-1 inline-flex items-center gap-1.5 rounded-lg bg-river px-3 py-1 font-medium text-surface"
          href={signIn}
          target="_blank"
          rel="noreferrer"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return; // the link itself asks the person once more
            event.preventDefault();
            changes.signIn(signIn);
          }}
        >
          Sign in
          <ArrowSquareOutIcon size={14} aria-hidden="true" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
      <div className="mt-1 flex flex-col">
        <OfferedList kind="tool" offered={tools} />
        <LeftOutList tools={leftOut} />
        <OfferedList kind="prompt" offered={prompts} />
        <OfferedList kind="resource" offered={resources} />
      </div>
      <div className="mt-1 -ml-2 flex flex-wrap items-center">
        <QuietButton onClick={() => changes.reconnect(id)}>Reconnect</QuietButton>
        {editable && <RemoveServer name={name} onRemove={() => changes.remove(id)} />}
      </div>
    </li>
  );
}
