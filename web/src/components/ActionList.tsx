import { Button } from "@cloudflare/kumo/components/button";
import { ListChecksIcon } from "@phosphor-icons/react";
import { useRef, useState } from "react";
import { type Action, actionState, parseActions } from "../actions";
import type { Calls } from "../hooks/useRunInfos";
import { CloseButton } from "./CloseButton";
import { StateWord } from "./StateWord";

interface ActionListProps {
  call: Calls;
  /** Whether an action can be undone. */
  undoes: boolean;
}

/** ActionList opens the ledger of what the agent's tools have done: what, for whom, and what became of it. */
export function ActionList({ call, undoes }: ActionListProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [actions, setActions] = useState<Action[]>();
  const [cursor, setCursor] = useState("");
  const [failure, setFailure] = useState("");
  const close = () => dialog.current?.close();
  const read = (from: string) =>
    call("actions", from ? [{ cursor: from }] : []).then(
      (answer) => {
        const page = parseActions(answer);
        setActions((before = []) => (from ? [...before, ...page.actions] : page.actions));
        setCursor(page.cursor);
        setFailure("");
      },
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    );
  const undo = ({ id }: Action) =>
    void call("undoCall", [id]).then(
      () => read(""),
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    );
  const open = () => {
    dialog.current?.showModal();
    void read("");
  };

  return (
    <>
      <Button
        variant="ghost"
        shape="square"
        aria-label="Actions"
        title="Actions"
        aria-haspopup="dialog"
        icon={<ListChecksIcon size={17} />}
        onClick={open}
      />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself */}
      <dialog
        ref={dialog}
        aria-label="Actions"
        className="panel side-panel"
        onClick={({ target, currentTarget }) => target === currentTarget && close()}
      >
        <div className="flex items-center gap-2.5 border-b border-line py-2.5 pr-2 pl-4 sm:pl-6">
          <div className="min-w-0 grow">
            <h2 className="font-display text-lg leading-snug">Actions</h2>
            <p className="text-sm leading-snug text-quiet">What the tools have done, newest first</p>
          </div>
          <CloseButton onClick={close} />
        </div>
        <div className="grow overflow-y-auto overscroll-contain px-4 py-3 sm:px-6">
          {failure && (
            <p role="alert" className="mb-3 text-sm text-danger">
              {failure}
            </p>
          )}
          {!actions && !failure && <p className="pulse text-quiet">Loading</p>}
          {actions?.length === 0 && <p className="text-quiet">Nothing has been done yet.</p>}
          <ul className="divide-y divide-line">
            {actions?.map((action) => (
              <ActionLine key={action.id} action={action} onUndo={undoes ? undo : undefined} />
            ))}
          </ul>
          {cursor && (
            <Button size="sm" variant="ghost" onClick={() => void read(cursor)}>
              Older
            </Button>
          )}
        </div>
      </dialog>
    </>
  );
}

/** ActionLine shows one action. */
function ActionLine({ action, onUndo }: { action: Action; onUndo: ((action: Action) => void) | undefined }) {
  const { tool, key, state, by, approvedBy, begunAt, outcome } = action;
  const people = [by && `asked for by ${by}`, approvedBy && `approved by ${approvedBy}`].filter(Boolean).join(", ");
  return (
    <li className="py-2.5 text-sm">
      <div className="flex items-center gap-2">
        <span className="font-mono text-xs">{tool}</span>
        <span className="min-w-0 grow truncate text-quiet" title={key}>
          {key}
        </span>
        <StateWord {...actionState(action)} />
        {state === "done" && onUndo && (
          <Button size="sm" variant="ghost" onClick={() => onUndo(action)}>
            Undo
          </Button>
        )}
      </div>
      {outcome && <p className="line-clamp-3 font-mono text-xs wrap-anywhere text-quiet">{outcome}</p>}
      <p className="text-xs text-quiet">
        <time dateTime={new Date(begunAt).toISOString()}>{new Date(begunAt).toLocaleString()}</time>
        {people && `, ${people}`}
      </p>
    </li>
  );
}
