import { ConversationList } from "./ConversationList";
import { Wordmark } from "./Wordmark";

/** Sidebar shows the list of conversations, where the page is wide enough. */
export function Sidebar({ name }: { name: string }) {
  return (
    <aside
      aria-label="Sidebar"
      className="sticky top-0 hidden h-dvh w-64 shrink-0 flex-col border-r border-line lg:flex"
    >
      <div className="flex h-14 items-center px-5">
        <Wordmark />
      </div>
      <ConversationList name={name} />
    </aside>
  );
}
