import { Button } from "@cloudflare/kumo/components/button";
import { useState } from "react";
import { QuietButton } from "./QuietButton";

interface RemoveServerProps {
  name: string;
  onRemove: () => void;
}

/** RemoveServer removes a server, after it has asked. It asks in its place: the panel is above every other dialog. */
export function RemoveServer({ name, onRemove }: RemoveServerProps) {
  const [asking, setAsking] = useState(false);
  if (!asking) return <QuietButton onClick={() => setAsking(true)}>Remove</QuietButton>;
  return (
    <div
      role="alertdialog"
      aria-label={`Remove ${name}?`}
      className="flex w-full flex-wrap items-center justify-end gap-2 py-1 pl-2"
    >
      <p className="min-w-40 grow basis-0 text-quiet">
        Its tools, and what it knows of you here, are gone for everybody in this conversation.
      </p>
      <Button size="sm" ref={(button) => button?.focus()} onClick={() => setAsking(false)}>
        Keep it
      </Button>
      <Button size="sm" variant="destructive" onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}
