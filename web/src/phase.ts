import type { Tone } from "./tone";

/** Phase is the state of the connection to the agent. `refused` is final until the person retries. */
export type Phase = "connecting" | "connected" | "reconnecting" | "recovering" | "refused" | "offline";

/** ConnectionState holds the facts that a phase is derived from. */
export interface ConnectionState {
  refused: boolean;
  identified: boolean;
  /** There was an earlier connection, which was lost. */
  dropped: boolean;
  online: boolean;
  recovering: boolean;
}

/** phaseOf derives the phase of a connection. */
export function phaseOf({ refused, identified, dropped, online, recovering }: ConnectionState): Phase {
  if (refused) return "refused";
  if (identified) return recovering ? "recovering" : "connected";
  if (!online) return "offline";
  return dropped ? "reconnecting" : "connecting";
}

/** Refusal is why a connection was refused. */
export interface Refusal {
  /** The server's reason, or the close code where it gave none. */
  text: string;
  /** A new token may help: there was none, or it has expired. */
  renewable: boolean;
}

/** The close code of a connection without a valid token: 4000 plus the HTTP status. */
const unauthorized = 4401;

/** refusalOf says why a connection was refused; undefined where it was not. */
export function refusalOf(error: { code: number; reason: string } | null | undefined): Refusal | undefined {
  if (!error) return undefined;
  return { text: error.reason || `code ${error.code}`, renewable: error.code === unauthorized };
}

/** phaseLabels name each phase in one word, with its tone. */
export const phaseLabels: Record<Phase, { word: string; tone: Tone }> = {
  connecting: { word: "Connecting", tone: "wait" },
  connected: { word: "Connected", tone: "good" },
  reconnecting: { word: "Reconnecting", tone: "wait" },
  recovering: { word: "Recovering", tone: "wait" },
  refused: { word: "Refused", tone: "danger" },
  offline: { word: "Offline", tone: "danger" },
};

/** Note explains a phase to the person who waits. */
export interface Note {
  title: string;
  text: string;
  /** How long the phase must last before the note appears, in milliseconds. */
  after: number;
  /** Whether an immediate retry can help. */
  retry: boolean;
}

/** phaseNotes holds a note for each phase that can last. */
export const phaseNotes: Partial<Record<Phase, Note>> = {
  connecting: {
    title: "The server has not answered yet",
    text: "The page keeps trying. It may be starting, or out of reach.",
    after: 6000,
    retry: true,
  },
  reconnecting: {
    title: "The connection was lost",
    text: "The page keeps trying. Whatever was under way goes on without it, and is shown as soon as it is back.",
    after: 1500,
    retry: true,
  },
  offline: {
    title: "You are offline",
    text: "The page connects again as soon as there is a network. What you send until then waits.",
    after: 0,
    retry: false,
  },
  recovering: {
    title: "The answer broke off",
    text: "The server takes it up again where it stopped.",
    after: 500,
    retry: false,
  },
};
