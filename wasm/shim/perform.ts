// Performs commands, in order, after the transaction of their event has committed. What comes of them is the next event.
import type { Command, Event, Of } from "./abi.ts";
import { Fetches } from "./fetches.ts";

/** Lets an event happen, unless what it tells of is gone by the time that the object is open. */
export type Deliver = (event: Event, gone?: () => boolean) => void;

interface Host {
  state: DurableObjectState;
  secrets: Record<string, unknown>;
  /** What log lines say of the object. */
  label: Record<string, string>;
  deliver: Deliver;
}

export class Performer {
  readonly #host: Host;
  readonly #fetches: Fetches;
  readonly #timers = new Map<string, () => void>();
  readonly #requests = new Map<string, (response: Response) => void>();

  constructor(host: Host) {
    this.#host = host;
    this.#fetches = new Fetches(host.secrets, host.deliver);
  }

  /** Performs commands. One that fails is logged and keeps none of the others from being performed. */
  perform(commands: Command[]): void {
    for (const command of commands) {
      try {
        this.#one(command);
      } catch (error) {
        this.log("error", `${command.kind} failed`, { error: String(error) });
      }
    }
  }

  /** The answer to a request, as soon as the object gives it. */
  answer(request: string): Promise<Response> {
    return new Promise((resolve) => this.#requests.set(request, resolve));
  }

  /** Gives up a request that the object will not answer. */
  fail(request: string, status: number): void {
    this.#respond(request, new Response(null, { status }));
  }

  /** Ends what an earlier in-memory part of the object began, a new one knows of none of it; but for one request. */
  abort(except: string): void {
    this.#fetches.abort();
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
    for (const request of this.#requests.keys()) if (request !== except) this.fail(request, 503);
  }

  /** Writes one line for the deployment's log. */
  log(level: string, message: string, fields: Record<string, string> = {}): void {
    const write = level === "debug" || level === "warn" || level === "error" ? console[level] : console.info;
    write.call(console, JSON.stringify({ level, ...this.#host.label, message, ...fields }));
  }

  #one(command: Command): void {
    switch (command.kind) {
      case "Send":
        for (const conn of command.to) this.#socket(conn, (socket) => socket.send(command.text));
        break;
      case "Close":
        this.#socket(command.conn, (socket) => socket.close(command.code, command.reason));
        break;
      case "Respond":
        this.#respond(command.request, response(command));
        break;
      case "SetAlarm":
        this.#setAlarm(command.at);
        break;
      case "StartTimer":
        this.#startTimer(command.timer, command.after);
        break;
      case "StopTimer":
        this.#stopTimer(command.timer);
        break;
      case "Fetch":
        this.#fetches.start(command);
        break;
      case "CancelFetch":
        this.#fetches.cancel(command.fetch);
        break;
      case "Log":
        this.log(command.level, command.message, pairs(command.fields));
        break;
      default:
        command satisfies never;
    }
  }

  /** A socket that is closing or gone is passed over. */
  #socket(conn: string, use: (socket: WebSocket) => void): void {
    for (const socket of this.#host.state.getWebSockets(conn)) {
      if (socket.readyState === WebSocket.READY_STATE_OPEN) use(socket);
    }
  }

  #respond(request: string, answer: Response): void {
    this.#requests.get(request)?.(answer);
    this.#requests.delete(request);
  }

  #setAlarm(at: number): void {
    const { storage, waitUntil } = this.#host.state;
    const done = at === 0 ? storage.deleteAlarm() : storage.setAlarm(at);
    waitUntil.call(
      this.#host.state,
      done.catch((error: unknown) => this.log("error", "setting the alarm failed", { error: String(error) })),
    );
  }

  /**
   * A timer of 0 lets waiting socket messages in first, which in workerd setTimeout does as fast as anything else that
   * does (60 us; scheduler.wait takes longer, and message channels and microtasks let nothing in).
   */
  #startTimer(timer: string, after: number): void {
    this.#stopTimer(timer);
    let stopped = false;
    const id = setTimeout(() => {
      this.#timers.delete(timer);
      this.#host.deliver({ kind: "TimerFired", timer }, () => stopped);
    }, after);
    this.#timers.set(timer, () => {
      stopped = true;
      clearTimeout(id);
    });
  }

  #stopTimer(timer: string): void {
    this.#timers.get(timer)?.();
    this.#timers.delete(timer);
  }
}

/** The statuses whose responses may have no body, not even an empty one. */
const bodiless = new Set([101, 204, 205, 304]);

function response({ status, header, body }: Of<Command, "Respond">): Response {
  return new Response(bodiless.has(status) ? null : body, { status, headers: header });
}

function pairs(flat: string[]): Record<string, string> {
  const out: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) out[flat[i] as string] = flat[i + 1] as string;
  return out;
}
