// Clients of the agents whose model writes code.
import { AgentClient } from "agents/client";
import { expect } from "vitest";
import { type Office, until } from "../workflow/office";

/** What the code tool returns to the model. */
export interface Output {
  status: "completed" | "failed";
  result?: unknown;
  error?: string;
  logs?: string[];
  calls?: number;
}

/** The part of a message that shows a call: one of the code tool, or one that its code has made. */
export interface CallPart {
  type: string;
  toolCallId: string;
  state: string;
  input?: unknown;
  output?: unknown;
  errorText?: string;
  callProviderMetadata?: { tributary?: { parent?: string } };
}

interface Message {
  id: string;
  role: string;
  parts: (CallPart & { text?: string })[];
}

/** What the demo model is told, so that it has the code run. */
export const directive = (code: string) => `code: ${code}`;

/** The published client of a conversation. */
export class Coder {
  readonly #agent: AgentClient;
  readonly #address: string;
  /** The frames that it was sent. */
  readonly frames: string[] = [];
  /** Called with every frame. */
  heard = (_frame: string) => {};

  private constructor({ url }: Office, name: string, agent: string) {
    this.#address = `${url}/agents/${agent.toLowerCase()}/${name}`;
    this.#agent = new AgentClient({ agent, name, host: url });
    this.#agent.addEventListener("message", ({ data }: MessageEvent) => {
      this.frames.push(String(data));
      this.heard(String(data));
    });
  }

  static async open(office: Office, name: string, agent = "Assistant"): Promise<Coder> {
    const coder = new Coder(office, name, agent);
    await coder.#agent.ready;
    return coder;
  }

  close(): void {
    this.#agent.close();
  }

  send(text: string): void {
    this.#agent.send(text);
  }

  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#agent.call<T>(method, args);
  }

  /** Asks for a turn, and does not wait for its end. Returns its id, which may be given. */
  async say(text: string, id?: string): Promise<string> {
    return (await this.call<{ submissionId: string }>("submit", { text, id })).submissionId;
  }

  /** Waits until a turn is over. Returns the message of its answer. */
  over(submission: string): Promise<Message> {
    return until(async () => {
      const turn = await this.call<{ status: string; messageId: string; error?: string }>("submission", submission);
      expect(turn, turn.error).toMatchObject({ status: "completed" });
      return this.message(turn.messageId);
    });
  }

  /** Has code run to its end. Returns the message in which that is shown. */
  async shown(code: string): Promise<Message> {
    return this.over(await this.say(directive(code)));
  }

  /** Has code run to its end. Returns what the model is told. */
  async run(code: string): Promise<Output> {
    return outputOf(await this.shown(code));
  }

  /** A message as it is stored. */
  async message(id: string): Promise<Message> {
    const messages = (await (await fetch(`${this.#address}/get-messages`)).json()) as Message[];
    const message = messages.find((one) => one.id === id);
    if (!message) throw new Error(`there is no message ${id}`);
    return message;
  }
}

/** The calls of the code tool in a message. */
export const codes = ({ parts }: Message) => parts.filter(({ type }) => type === "tool-code");

/** The calls that code has made, in the order in which they began. */
export const made = ({ parts }: Message) =>
  parts.filter(({ callProviderMetadata }) => callProviderMetadata?.tributary?.parent !== undefined);

/** What the code tool has returned in a message, in its only call. */
export function outputOf(message: Message): Output {
  const [code, ...more] = codes(message);
  if (code?.output === undefined || more.length > 0) throw new Error(`${JSON.stringify(message)} has not one output`);
  return code.output as Output;
}

/** The text of a message. */
export const textOf = ({ parts }: Message) => parts.map(({ text = "" }) => text).join("");
