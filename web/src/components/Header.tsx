import { Button } from "@cloudflare/kumo/components/button";
import { BroomIcon, NotePencilIcon } from "@phosphor-icons/react";
import { openFresh } from "../address";
import type { Phase } from "../hooks/useConversation";
import { ConnectionStatus } from "./ConnectionStatus";
import { Wordmark } from "./Wordmark";

interface HeaderProps {
  name: string;
  phase: Phase;
  /** Absent while there is nothing to clear. */
  onClear?: (() => void) | undefined;
}

/** Header says where one is, how the connection is, and how to begin again. */
export function Header({ name, phase, onClear }: HeaderProps) {
  return (
    <header className="bank sticky top-0 z-20">
      <div className="mx-auto flex h-14 w-full max-w-184 items-center gap-3 px-4 sm:px-6">
        <Wordmark />
        <span className="hidden truncate font-mono text-xs text-quiet md:inline" title="Conversation">
          {name}
        </span>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <ConnectionStatus phase={phase} label="Connection" />
          <Button
            variant="ghost"
            aria-label="Clear"
            icon={<BroomIcon size={17} />}
            disabled={!onClear}
            onClick={onClear}
          >
            <span className="max-sm:hidden">Clear</span>
          </Button>
          <Button variant="ghost" aria-label="New chat" icon={<NotePencilIcon size={17} />} onClick={openFresh}>
            <span className="max-sm:hidden">New chat</span>
          </Button>
        </div>
      </div>
    </header>
  );
}
