import { Button } from "@cloudflare/kumo/components/button";
import { NotePencilIcon, XIcon } from "@phosphor-icons/react";
import { openFresh, openName } from "../address";
import { forgetConversation } from "../conversations";
import { useConversations } from "../hooks/useConversations";

interface ConversationListProps {
  /** The conversation that is open. */
  name: string;
  /** Called when a conversation was chosen. */
  onChosen?: () => void;
}

/** ConversationList lists the person's conversations, newest first, below a button for a new one. */
export function ConversationList({ name, onChosen }: ConversationListProps) {
  const entries = useConversations();
  const choose = (go: () => void) => () => {
    go();
    onChosen?.();
  };
  return (
    <nav aria-label="Conversations" className="flex min-h-0 grow flex-col gap-3 px-3 pb-3">
      <Button className="w-full" variant="secondary" icon={<NotePencilIcon size={16} />} onClick={choose(openFresh)}>
        New chat
      </Button>
      {entries.length === 0 && <p className="px-2 text-sm text-quiet">What you talk about is listed here.</p>}
      <ul className="-mx-1 min-h-0 grow overflow-y-auto overscroll-contain px-1 text-sm">
        {entries.map((entry) => (
          <li
            key={entry.name}
            data-current={entry.name === name || undefined}
            className="group flex items-center rounded-lg hover:bg-note data-current:bg-note"
          >
            <button
              type="button"
              aria-current={entry.name === name ? "page" : undefined}
              className="min-w-0 grow truncate rounded-lg px-2.5 py-1.5 text-left"
              onClick={choose(() => openName(entry.name))}
            >
              {entry.title}
            </button>
            <Button
              className="transition-opacity pointer-fine:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
              size="sm"
              shape="square"
              variant="ghost"
              title="Take it out of the list"
              aria-label={`Take “${entry.title}” out of the list`}
              icon={<XIcon size={12} />}
              onClick={() => forgetConversation(entry.name)}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}
