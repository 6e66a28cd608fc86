import { type KeyboardEvent, Suspense, type SyntheticEvent } from "react";
import { closeRun } from "../address";
import { preview } from "../preview";
import { type Run, runTitle } from "../run";
import type { RunPath } from "../runpath";
import { CloseButton } from "./CloseButton";
import { HelperChat } from "./HelperChat";
import { HelperIcon } from "./HelperIcon";

interface HelperDialogProps {
  /** The agent of the conversation that the path begins at. */
  agent: string;
  /** The name of that conversation. */
  name: string;
  path: RunPath;
  /** The run; undefined before the replay, or when there is no such run. */
  run: Run | undefined;
}

function show(dialog: HTMLDialogElement | null) {
  if (!dialog?.open) dialog?.showModal();
  // The dialog is closed before it is removed, so that the browser restores the focus.
  return () => dialog?.close();
}

function onKeyDown(event: KeyboardEvent) {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  event.preventDefault();
  closeRun();
}

/** The browser has closed the dialog itself, for example on Escape. */
function onClose({ currentTarget }: SyntheticEvent<HTMLDialogElement>) {
  if (!currentTarget.open && currentTarget.isConnected) closeRun();
}

/** HelperDialog is the side panel that shows the conversation with a helper. */
export function HelperDialog({ agent, name, path, run }: HelperDialogProps) {
  const title = run ? runTitle(run) : (path.at(-1)?.agent ?? "");
  const asked = preview(run?.inputPreview);
  return (
    <dialog
      ref={show}
      aria-label={`Helper ${title}`}
      className="panel side-panel"
      onKeyDown={onKeyDown}
      onClose={onClose}
    >
      <header className="flex items-center gap-2.5 border-b border-line py-2.5 pr-2 pl-4 sm:pl-6">
        <HelperIcon name={run?.display?.icon} />
        <div className="min-w-0 grow">
          <h2 className="truncate font-display text-lg leading-snug">{title}</h2>
          {asked && <p className="truncate text-sm leading-snug text-quiet">{asked}</p>}
        </div>
        <CloseButton onClick={closeRun} />
      </header>
      <Suspense fallback={<p className="pulse grow p-6 text-quiet">Loading</p>}>
        <HelperChat agent={agent} name={name} path={path} />
      </Suspense>
    </dialog>
  );
}
