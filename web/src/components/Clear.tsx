import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/components/dialog";
import { BroomIcon } from "@phosphor-icons/react";
import { type Deletion, deletionText } from "../deletion";

interface ClearProps {
  /** What clearing deletes; undefined while there is nothing to clear. */
  deletion: Deletion | undefined;
  onClear: () => void;
}

/** Clear clears a conversation, after a warning that says what is deleted and asks for confirmation. */
export function Clear({ deletion, onClear }: ClearProps) {
  return (
    <Dialog.Root role="alertdialog">
      <Dialog.Trigger
        render={
          <Button variant="ghost" aria-label="Clear" icon={<BroomIcon size={17} />} disabled={!deletion}>
            <span className="max-sm:hidden">Clear</span>
          </Button>
        }
      />
      <Dialog className="p-6">
        <Dialog.Title className="font-display text-xl leading-snug">Clear this conversation?</Dialog.Title>
        <Dialog.Description className="mt-2 text-quiet">{deletion && deletionText(deletion)}</Dialog.Description>
        <div className="mt-6 flex justify-end gap-2">
          <Dialog.Close render={<Button variant="secondary">Keep it</Button>} />
          <Dialog.Close
            render={
              <Button variant="destructive" onClick={onClear}>
                Clear
              </Button>
            }
          />
        </div>
      </Dialog>
    </Dialog.Root>
  );
}
