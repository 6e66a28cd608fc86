// Performs commands, in order, after the transaction of their event has committed. What comes of them is the next event.
import type { Command, Event, Of } from "./abi.ts";
import { Answers } from "./answers.ts";
import { Calls } from "./calls.ts";
import type { Clock } from "./clock.ts";
import { Facets, type Identity, type Reach } from "./facets.ts";
import { Fetches } from "./fetches.ts";
import { Readings } from "./readings.ts";
import { type Arrival, farewell } from "./socket.ts";
import { Timers } from "./timers.ts";
import { Writings } from "./writings.ts";

/** Lets an event happen, unless what it tells of is gone by the time that the object is open. */
export type Deliver = (event: Event, gone?: () => boolean) => void;

interface Host {
  state: DurableObjectState;
  clock: Pick<Clock, "platform">;
  secrets: Record<string, unknown>;
  who: Identity;
  /** The object's class in Go. */
  agent: string;
  deliver: Deliver;
}

export class Performer {
  /** What other objects wait for. */
  readonly answers = new Answers();
  readonly writings: Writings;
  /** The socket that came last: what is said to it decides whether it is kept. */
  arrival: Arrival | undefined;
  readonly #host: Host;
  readonly #facets: Facets;
  readonly #calls: Calls;
  readonly #readings: Readings;
  readonly #fetches: Fetches;
  readonly #timers: Timers;
  /** The sockets that were looked up for the commands at hand: asking the platform costs more than sending. */
  readonly #sockets = new Map<string, WebSocket[]>();
  readonly #requests = new Map<string, (response: Response) => void>();

  constructor(host: Host) {
    this.#host = host;
    this.writings = new Writings(host.deliver);
    this.#facets = new Facets(host.state, host.who);
    const reach: Reach = (facet) => this.#facets.reach(facet);
    this.#calls = new Calls(reach, host.deliver);
    this.#readings = new Readings(reach, host.deliver);
    this.#fetches = new Fetches(host.secrets, host.deliver);
    this.#timers = new Timers(host.deliver);
  }

  /** Performs commands, and says whether none has failed. The others are performed all the same. */
  perform(commands: Command[]): boolean {
    this.#sockets.clear();
    let all = true;
    for (const command of commands) {
      try {
        this.#one(command);
      } catch (error) {
        all = false;
        this.log("error", `${command.kind} failed`, { error: String(error) });
      }
    }
    return all;
  }

  /** The answer to a request, as soon as the object gives it. */
  answer(request: string): Promise<Response> {
    return new Promise((resolve) => this.#requests.set(request, resolve));
  }

  /** Gives up a request that the object will not answer. */
  fail(request: string, status: number): void {
    this.#respond(request, new Response(null, { status }));
  }

  /** Whether anything is under way: something that was begun and not ended, or somebody who waits. */
  get busy(): boolean {
    const rooms = [this.answers, this.writings, this.#calls, this.#readings, this.#fetches, this.#timers];
    return this.#requests.size > 0 || rooms.some(({ any }) => any);
  }

  /** Ends what an earlier in-memory part of the object began, a new one knows of none of it; but for what just arrives. */
  abort(except: string): void {
    this.#calls.abort();
    this.#readings.abort();
    this.#fetches.abort();
    this.#timers.abort();
    this.abandon(except);
  }

  /**
   * Fails what waits for an in-memory part that has died, so that nobody waits for ever. What it had begun itself goes on,
   * since whatever comes of that wakes the object, and a new part finds out where it was.
   */
  abandon(except: string): void {
    this.answers.abort(except);
    this.writings.abort(except);
    for (const request of this.#requests.keys()) if (request !== except) this.fail(request, 503);
  }

  /** Writes one line for the deployment's log. */
  log(level: string, message: string, fields: Record<string, string> = {}): void {
    const write = level === "debug" || level === "warn" || level === "error" ? console[level] : console.info;
    const { agent, who } = this.#host;
    write.call(console, JSON.stringify({ level, agent, name: who.name, message, ...fields }));
  }

  #one(command: Command): void {
    switch (command.kind) {
      case "Send":
        for (const conn of command.to) this.#socket(conn, (socket) => socket.send(command.text));
        break;
      case "Close":
        this.#close(command);
        break;
      case "Respond":
        this.#respond(command.request, this.#response(command));
        break;
      case "SetAlarm":
        this.#setAlarm(command.at);
        break;
      case "StartTimer":
        this.#timers.start(command.timer, command.after);
        break;
      case "StopTimer":
        this.#timers.stop(command.timer);
        break;
      case "Fetch":
        this.#fetches.start(command);
        break;
      case "CancelFetch":
        this.#fetches.cancel(command.fetch);
        break;
      case "Call":
        this.#hold(this.#calls.start(command));
        break;
      case "Answer":
        this.answers.give(command);
        break;
      case "OpenStream":
        this.#hold(this.#readings.start(command));
        break;
      case "CancelStream":
        this.#readings.cancel(command.stream);
        break;
      case "Emit":
        this.writings.emit(command.stream, command.data);
        break;
      case "EndStream":
        this.writings.end(command.stream);
        break;
      case "DeleteFacet":
        this.#facets.delete(command.slot);
        break;
      case "Log":
        this.log(command.level, command.message, pairs(command.fields));
        break;
      default:
        command satisfies never;
    }
  }

  #close({ conn, code, reason }: Of<Command, "Close">): void {
    if (this.arrival?.conn === conn && this.arrival.refuse(code, reason)) return;
    this.#socket(conn, (socket) => socket.close(code, reason));
  }

  /**
   * A socket that is closing or gone is passed over. One that cannot be used is closed: its client may wait without a limit
   * for what was to be sent, and a client that is cut off comes back and asks.
   */
  #socket(conn: string, use: (socket: WebSocket) => void): void {
    if (this.arrival?.conn === conn) this.arrival.keep();
    const sockets = this.#sockets.get(conn) ?? this.#host.state.getWebSockets(conn);
    this.#sockets.set(conn, sockets);
    for (const socket of sockets) {
      if (socket.readyState !== WebSocket.READY_STATE_OPEN) continue;
      try {
        use(socket);
      } catch (error) {
        this.log("warn", "a socket could not be used", { conn, error: String(error) });
        farewell(socket, 1011, "the object failed");
      }
    }
  }

  #respond(request: string, answer: Response): void {
    this.#requests.get(request)?.(answer);
    this.#requests.delete(request);
  }

  /** What a request is answered. Where the platform refuses that, its client is told so much. */
  #response({ status, header, body }: Of<Command, "Respond">): Response {
    try {
      return new Response(bodiless.has(status) ? null : body, { status, headers: header });
    } catch (error) {
      this.log("error", "an answer was refused", { error: String(error) });
      return new Response(null, { status: 500 });
    }
  }

  /** Keeps the object in memory until something is over, though nobody else should need it. */
  #hold(work: Promise<void>): void {
    this.#host.state.waitUntil(work);
  }

  /** Only a root may: the platform resets a facet that tries. */
  #setAlarm(at: number): void {
    if (this.#host.who.facet) throw new Error("a facet has no alarm");
    const { clock, state } = this.#host;
    const done = at === 0 ? state.storage.deleteAlarm() : state.storage.setAlarm(clock.platform(at));
    this.#hold(done.catch((error: unknown) => this.log("error", "setting the alarm failed", { error: String(error) })));
  }
}

/** The statuses whose responses may have no body, not even an empty one. */
const bodiless = new Set([101, 204, 205, 304]);

function pairs(flat: string[]): Record<string, string> {
  const out: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) out[flat[i] as string] = flat[i + 1] as string;
  return out;
}
