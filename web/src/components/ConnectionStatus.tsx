import type { Phase } from "../hooks/useConversation";

const looks: Record<Phase, { text: string; dot: string }> = {
  connecting: { text: "Connecting", dot: "bg-caution pulse" },
  connected: { text: "Connected", dot: "bg-river" },
  reconnecting: { text: "Reconnecting", dot: "bg-caution pulse" },
  recovering: { text: "Recovering", dot: "bg-caution pulse" },
  refused: { text: "Refused", dot: "bg-danger" },
};

/** ConnectionStatus says in one word how the connection to the agent is. */
export function ConnectionStatus({ phase, label }: { phase: Phase; label: string | undefined }) {
  const { text, dot } = looks[phase];
  return (
    <output aria-label={label} className="flex items-center gap-2 px-2 text-sm text-quiet">
      <span aria-hidden="true" className={`size-2 rounded-full ${dot}`} />
      {text}
    </output>
  );
}
