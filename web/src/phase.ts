import type { Tone } from "./tone";

/** Phase is where the connection to the agent stands. `refused` is final until somebody asks again. */
export type Phase = "connecting" | "connected" | "reconnecting" | "recovering" | "refused" | "offline";

/** Line is what a phase is derived from. */
export interface Line {
  refused: boolean;
  identified: boolean;
  /** There was a connection before. */
  dropped: boolean;
  online: boolean;
  recovering: boolean;
}

/** phaseOf is where a connection stands. */
export function phaseOf({ refused, identified, dropped, online, recovering }: Line): Phase {
  if (refused) return "refused";
  if (identified) return recovering ? "recovering" : "connected";
  if (!online) return "offline";
  return dropped ? "reconnecting" : "connecting";
}

/** Refusal is why a connection was refused. */
export interface Refusal {
  /** The server's words where it has any. */
  text: string;
  /** Another token may be taken: there was none, or it has ended. */
  renewable: boolean;
}

/** What a server closes a connection with for want of a token: 4000 and the HTTP status. */
const unauthorized = 4401;

/** refusalOf is why a connection was refused; undefined where it was not. */
export function refusalOf(error: { code: number; reason: string } | null | undefined): Refusal | undefined {
  if (!error) return undefined;
  return { text: error.reason || `code ${error.code}`, renewable: error.code === unauthorized };
}

/** phaseLooks are a phase in a word, and how that looks. */
export const phaseLooks: Record<Phase, { word: string; tone: Tone }> = {
  connecting: { word: "Connecting", tone: "wait" },
  connected: { word: "Connected", tone: "good" },
  reconnecting: { word: "Reconnecting", tone: "wait" },
  recovering: { word: "Recovering", tone: "wait" },
  refused: { word: "Refused", tone: "danger" },
  offline: { word: "Offline", tone: "danger" },
};

/** Note says what a phase means for the person who waits. */
export interface Note {
  title: string;
  text: string;
  /** Milliseconds for which the phase is not worth a note. */
  after: number;
  /** Whether asking again at once can help. */
  retry: boolean;
}

/** phaseNotes are for the phases that last. */
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
