import { useEffect } from "react";
import { fieldsOf } from "../fields";

/** The source of a connection's frames. */
type Source = Pick<EventTarget, "addEventListener" | "removeEventListener">;

/** useCleared calls cleared whenever another tab has cleared the conversation. */
export function useCleared(source: Source, cleared: () => void): void {
  useEffect(() => {
    const hear = ({ data }: Event & { data?: unknown }) => {
      if (typeof data !== "string" || !data.includes("cf_agent_chat_clear")) return;
      if (fieldsOf(JSON.parse(data)).type === "cf_agent_chat_clear") cleared();
    };
    source.addEventListener("message", hear);
    return () => source.removeEventListener("message", hear);
  }, [source, cleared]);
}
