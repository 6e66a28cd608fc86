import { Button } from "@cloudflare/kumo/components/button";
import { PlugsIcon } from "@phosphor-icons/react";
import { useTrueFor } from "../hooks/useTrueFor";
import { type Note, type Phase, phaseNotes } from "../phase";

interface ConnectionNoteProps {
  phase: Phase;
  /** The server's reason for closing the connection. */
  reason: string | undefined;
  onRetry: () => void;
}

/** ConnectionNote explains a missing connection, after it has been missing for a while, and offers a retry. */
export function ConnectionNote({ phase, reason, onRetry }: ConnectionNoteProps) {
  const note = phaseNotes[phase];
  return note ? <Lasting key={phase} note={note} reason={reason} onRetry={onRetry} /> : null;
}

function Lasting({ note, reason, onRetry }: { note: Note } & Omit<ConnectionNoteProps, "phase">) {
  if (!useTrueFor(true, note.after)) return null;
  return (
    <div
      role="status"
      className="appear mb-3 flex items-start gap-3 rounded-xl border border-caution/40 bg-surface px-4 py-3"
    >
      <PlugsIcon className="mt-0.5 shrink-0 text-caution" size={18} aria-hidden="true" />
      <div className="min-w-0 grow text-sm leading-snug">
        <p className="font-medium">{note.title}</p>
        <p className="text-quiet">{note.text}</p>
        {reason && note.retry && <p className="wrap-anywhere">{reason}</p>}
      </div>
      {note.retry && (
        <Button size="sm" onClick={onRetry}>
          Try now
        </Button>
      )}
    </div>
  );
}
