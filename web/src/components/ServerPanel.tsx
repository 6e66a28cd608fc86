import { Button } from "@cloudflare/kumo/components/button";
import { PlugsConnectedIcon } from "@phosphor-icons/react";
import { useRef } from "react";
import type { Calls } from "../hooks/useRunInfos";
import { useServerChanges } from "../hooks/useServerChanges";
import { needsPerson, type Server } from "../servers";
import { AddServer } from "./AddServer";
import { CloseButton } from "./CloseButton";
import { OwnAddress } from "./OwnAddress";
import { ServerEntry } from "./ServerEntry";

interface ServerPanelProps {
  servers: Server[];
  call: Calls;
  /** Whether servers can be added and removed. */
  editable: boolean;
  /** The address at which other programs use the conversation; empty where they cannot. */
  address: string;
}

/** ServerPanel opens the list of servers whose tools the agent uses, with what a person can change of it. */
export function ServerPanel({ servers, call, editable, address }: ServerPanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const changes = useServerChanges(call);
  const waits = servers.some(needsPerson);
  const close = () => dialog.current?.close();

  return (
    <>
      <span className="relative flex">
        <Button
          variant="ghost"
          shape="square"
          aria-label={waits ? "Tools from servers, of which one needs you" : "Tools from servers"}
          title="Tools from servers"
          aria-haspopup="dialog"
          icon={<PlugsConnectedIcon size={17} />}
          onClick={() => dialog.current?.showModal()}
        />
        {waits && <span aria-hidden="true" className="absolute top-1.5 right-1.5 size-1.5 rounded-full bg-caution" />}
      </span>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself */}
      <dialog
        ref={dialog}
        aria-label="Tools from servers"
        className="panel side-panel"
        onClick={({ target, currentTarget }) => target === currentTarget && close()}
      >
        <div className="flex items-center gap-2.5 border-b border-line py-2.5 pr-2 pl-4 sm:pl-6">
          <div className="min-w-0 grow">
            <h2 className="font-display text-lg leading-snug">Tools from servers</h2>
            <p className="text-sm leading-snug text-quiet">
              What this conversation can use, by the Model Context Protocol
            </p>
          </div>
          <CloseButton onClick={close} />
        </div>
        <div className="flex grow flex-col gap-5 overflow-y-auto overscroll-contain px-4 py-4 sm:px-6">
          {changes.problem && (
            <p role="alert" className="text-sm wrap-anywhere text-danger">
              {changes.problem}
            </p>
          )}
          {servers.length === 0 && <p className="text-quiet">No server has been added yet.</p>}
          <ul aria-label="Servers" className="flex flex-col gap-3 empty:hidden">
            {servers.map((server) => (
              <ServerEntry key={server.id} server={server} changes={changes} editable={editable} />
            ))}
          </ul>
          {editable && <AddServer onAdd={changes.add} />}
          {address && <OwnAddress address={address} />}
        </div>
      </dialog>
    </>
  );
}
