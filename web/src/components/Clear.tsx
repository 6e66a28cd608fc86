import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/components/dialog";
import { BroomIcon } from "@phosphor-icons/react";
import { type Loss, lossText } from "../loss";

interface ClearProps {
  /** What goes; undefined while there is nothing to clear. */
  loss: Loss | undefined;
  onClear: () => void;
}

/** Clear deletes a conversation, after it has said what goes with it and was told once more. */
export function Clear({ loss, onClear }: ClearProps) {
  return (
    <Dialog.Root role="alertdialog">
      <Dialog.Trigger
        render={
          <Button variant="ghost" aria-label="Clear" icon={<BroomIcon size={17} />} disabled={!loss}>
            <span className="max-sm:hidden">Clear</span>
          </Button>
        }
      />
      <Dialog className="p-6">
        <Dialog.Title className="font-display text-xl leading-snug">Clear this conversation?</Dialog.Title>
        <Dialog.Description className="mt-2 text-quiet">{loss && lossText(loss)}</Dialog.Description>
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
