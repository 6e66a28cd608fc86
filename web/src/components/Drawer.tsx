import { Button } from "@cloudflare/kumo/components/button";
import { ListIcon } from "@phosphor-icons/react";
import { useRef } from "react";
import { CloseButton } from "./CloseButton";
import { ConversationList } from "./ConversationList";
import { Wordmark } from "./Wordmark";

/** Drawer opens the list of conversations by a button, where the page is too narrow for the sidebar. */
export function Drawer({ name }: { name: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  return (
    <div className="lg:hidden">
      <Button
        variant="ghost"
        shape="square"
        aria-label="Conversations"
        aria-haspopup="dialog"
        icon={<ListIcon size={18} />}
        onClick={() => dialog.current?.showModal()}
      />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself */}
      <dialog
        ref={dialog}
        aria-label="Conversations"
        className="panel drawer"
        onClick={({ target, currentTarget }) => target === currentTarget && close()}
      >
        <div className="flex h-14 shrink-0 items-center justify-between gap-2 pr-2 pl-5">
          <Wordmark />
          <CloseButton onClick={close} />
        </div>
        <ConversationList name={name} onChosen={close} />
      </dialog>
    </div>
  );
}
