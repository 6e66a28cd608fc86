import { Button } from "@cloudflare/kumo/components/button";
import { XIcon } from "@phosphor-icons/react";
import { openName } from "../address";
import { type Entry, forgetConversation, isSame } from "../conversations";
import { useRoot, useRoots } from "../hooks/useAbout";
import { useConversations } from "../hooks/useConversations";
import { NewChat } from "./NewChat";

interface ConversationListProps {
  /** The conversation that is open. */
  name: string;
  /** Called when a conversation was chosen. */
  onChosen?: () => void;
}

/** ConversationList lists the person's conversations, newest first, below a button for a new one. */
export function ConversationList({ name, onChosen }: ConversationListProps) {
  const entries = useConversations();
  const roots = useRoots();
  const root = useRoot();
  const isCurrent = (entry: Entry) => isSame(entry, { name, agent: root?.key || undefined });
  return (
    <nav aria-label="Conversations" className="flex min-h-0 grow flex-col gap-3 px-3 pb-3">
      <NewChat onOpened={() => onChosen?.()} />
      {entries.length === 0 && <p className="px-2 text-sm text-quiet">What you talk about is listed here.</p>}
      <ul className="-mx-1 min-h-0 grow overflow-y-auto overscroll-contain px-1 text-sm">
        {entries.map((entry) => (
          <li
            key={`${entry.agent ?? ""}/${entry.name}`}
            data-current={isCurrent(entry) || undefined}
            className="group flex items-center rounded-lg hover:bg-note data-current:bg-note"
          >
            <button
              type="button"
              aria-current={isCurrent(entry) ? "page" : undefined}
              className="min-w-0 grow truncate rounded-lg px-2.5 py-1.5 text-left"
              onClick={() => {
                openName(entry.name, entry.agent ?? "");
                onChosen?.();
              }}
            >
              {entry.title}
              {roots.length > 1 && <Agent agent={entry.agent ?? ""} />}
            </button>
            <Button
              className="transition-opacity pointer-fine:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
              size="sm"
              shape="square"
              variant="ghost"
              title="Take it out of the list"
              aria-label={`Take “${entry.title}” out of the list`}
              icon={<XIcon size={12} />}
              onClick={() => forgetConversation(entry)}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Agent is the title of the agent that a conversation is with. */
function Agent({ agent }: { agent: string }) {
  const root = useRoots().find(({ key }) => key === agent);
  return <span className="block truncate text-xs text-quiet">{root?.title ?? agent}</span>;
}
