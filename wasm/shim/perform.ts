// Performs commands in order, after the transaction of their event has committed. Their results become events.
import type { Command, Of } from "./abi.ts";
import { Answers } from "./answers.ts";
import { Calls } from "./calls.ts";
import type { Clock } from "./clock.ts";
import type { Cost } from "./cost.ts";
import type { Deliver } from "./deliver.ts";
import { type FacetLookup, Facets, type Identity } from "./facets.ts";
import { Fetches } from "./fetches.ts";
import { Outbox } from "./outbox.ts";
import { StreamReaders } from "./readers.ts";
import { closeSocket, type PendingSocket, Sockets } from "./socket.ts";
import { Timers } from "./timers.ts";
import { StreamWriters } from "./writers.ts";

interface Host {
  state: DurableObjectState;
  clock: Pick<Clock, "platform">;
  secrets: Record<string, unknown>;
  who: Identity;
  /** The object's class in Go. */
  agent: string;
  cost: Pick<Cost, "down">;
  deliver: Deliver;
}

export class Performer {
  /** The calls of other objects that wait for an answer. */
  readonly answers = new Answers();
  readonly writers: StreamWriters;
  readonly sockets: Sockets;
  /** The new sockets, by their ids. The first command for one decides whether it is accepted. */
  readonly pendingSockets = new Map<string, PendingSocket>();
  readonly #host: Host;
  readonly #facets: Facets;
  readonly #calls: Calls;
  readonly #readers: StreamReaders;
  readonly #fetches: Fetches;
  readonly #timers: Timers;
  readonly #outbox: Outbox;
  readonly #requests = new Map<string, (response: Response) => void>();

  constructor(host: Host) {
    this.#host = host;
    this.sockets = new Sockets(host.state);
    this.writers = new StreamWriters(host.deliver);
    this.#facets = new Facets(host.state, host.who);
    const lookup: FacetLookup = (facet) => this.#facets.lookup(facet);
    this.#calls = new Calls(lookup, host.deliver);
    this.#readers = new StreamReaders(lookup, host.deliver);
    this.#fetches = new Fetches(host.secrets, host.deliver);
    this.#timers = new Timers(host.deliver);
    this.#outbox = new Outbox({
      // The event is delivered behind the commands that are being performed.
      closed: (conn, code, reason) => {
        void Promise.resolve().then(() => {
          this.forget(conn);
          host.deliver({ kind: "SocketClosed", conn, code, reason });
        });
      },
      failed: (conn, socket, error) => this.#unusable(conn, socket, error),
    });
  }

  /** Performs commands, and says whether all succeeded. A failure does not stop the others. */
  perform(commands: Command[]): boolean {
    let all = true;
    this.#outbox.begin();
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

  /** Resolves to the response to a request when the object gives it. */
  answer(request: string): Promise<Response> {
    return new Promise((resolve) => this.#requests.set(request, resolve));
  }

  /** Answers a request that the object will not answer. */
  fail(request: string, answer: Response): void {
    this.#respond(request, answer);
  }

  /** Whether any work of the object is unfinished, or any caller waits for it. */
  get busy(): boolean {
    const parts = [this.answers, this.writers, this.#calls, this.#readers, this.#fetches, this.#timers];
    return this.#requests.size > 0 || parts.some(({ busy }) => busy);
  }

  /** Ends all work of an earlier in-memory part, which a new one does not know, except what is just arriving. */
  abort(except: string): void {
    this.#calls.abort();
    this.#readers.abort();
    this.#fetches.abort();
    this.#timers.abort();
    this.abandon(except);
  }

  /**
   * Fails the callers that wait for an in-memory part that has died, so that none waits for ever. Work that it began itself
   * continues: its result opens the object again, and the new part resumes from storage.
   */
  abandon(except: string): void {
    this.answers.abort(except);
    this.writers.abort(except);
    for (const request of this.#requests.keys())
      if (request !== except) this.fail(request, new Response(null, { status: 503 }));
  }

  /** Writes one line to the deployment's log. */
  log(level: string, message: string, fields: Record<string, string> = {}): void {
    const write = level === "debug" || level === "warn" || level === "error" ? console[level] : console.info;
    const { agent, who } = this.#host;
    write.call(console, JSON.stringify({ level, agent, name: who.name, message, ...fields }));
  }

  #one(command: Command): void {
    switch (command.kind) {
      case "Send":
        for (const conn of command.to) this.#socket(conn, (socket) => this.#send(conn, socket, command.text));
        break;
      case "Close":
        this.#close(command);
        break;
      case "Respond":
        this.#respond(command.request, this.#response(command));
        break;
      case "Begin":
        this.#begin(command);
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
        this.#hold(this.#readers.start(command));
        break;
      case "CancelStream":
        this.#readers.cancel(command.stream);
        break;
      case "Emit":
        this.writers.emit(command.stream, command.data);
        break;
      case "EndStream":
        this.writers.end(command.stream);
        break;
      case "DeleteFacet":
        this.#facets.delete(command.slot);
        break;
      case "EvictFacet":
        this.#facets.evict(command.slot);
        break;
      case "Log":
        this.log(command.level, command.message, pairs(command.fields));
        break;
      default:
        command satisfies never;
    }
  }

  /** Forgets a connection that has ended. */
  forget(conn: string): void {
    this.sockets.forget(conn);
    this.#outbox.forget(conn);
  }

  #send(conn: string, socket: WebSocket, text: string): void {
    this.#outbox.send(conn, socket, text);
    this.#host.cost.down += text.length;
  }

  #close({ conn, code, reason }: Of<Command, "Close">): void {
    if (this.pendingSockets.get(conn)?.refuse(code, reason)) return;
    this.#socket(conn, (socket) => socket.close(code, reason));
  }

  /**
   * Uses the socket of a connection, unless it is closing or closed. A socket that cannot be used is closed: its client might
   * wait for ever for the lost message, whereas a client whose socket is closed reconnects and asks again.
   */
  #socket(conn: string, use: (socket: WebSocket) => void): void {
    this.pendingSockets.get(conn)?.accept();
    const socket = this.sockets.find(conn);
    if (!socket) return;
    try {
      use(socket);
    } catch (error) {
      this.#unusable(conn, socket, error);
    }
  }

  #unusable(conn: string, socket: Pick<WebSocket, "close">, error: unknown): void {
    this.log("warn", "a socket could not be used", { conn, error: String(error) });
    closeSocket(socket, 1011, "the object failed");
  }

  #respond(request: string, answer: Response): void {
    this.#requests.get(request)?.(answer);
    this.#requests.delete(request);
  }

  /** Makes the response to a request. */
  #response({ status, header, body }: Of<Command, "Respond">): Response {
    const sent = bodiless.has(status) ? null : body;
    const response = this.#made(status, header, sent);
    if (response.body) this.#host.cost.down += sent?.length ?? 0;
    return response;
  }

  /** Makes a response. Where the platform refuses it, the client gets status 500. */
  #made(status: number, headers: Record<string, string>, body: BodyInit | null): Response {
    try {
      return new Response(body, { status, headers });
    } catch (error) {
      this.log("error", "an answer was refused", { error: String(error) });
      return new Response(null, { status: 500 });
    }
  }

  /**
   * Answers a request with a stream. An answered request is passed over. A response without a body has no reader, so its
   * stream is cancelled, but not before the commands that follow are performed.
   */
  #begin({ request, status, header }: Of<Command, "Begin">): void {
    if (!this.#requests.has(request)) return;
    const body = this.writers.open(request, (length) => {
      this.#host.cost.down += length;
    });
    const response = this.#made(status, header, bodiless.has(status) ? null : body);
    if (!response.body) void Promise.resolve().then(() => body.cancel());
    this.#respond(request, response);
  }

  /** Keeps the object in memory until a promise settles. */
  #hold(work: Promise<void>): void {
    this.#host.state.waitUntil(work);
  }

  /** Sets the alarm of a root. The platform would reset a facet that tries. */
  #setAlarm(at: number): void {
    if (this.#host.who.facet) throw new Error("a facet has no alarm");
    const { clock, state } = this.#host;
    const done = at === 0 ? state.storage.deleteAlarm() : state.storage.setAlarm(clock.platform(at));
    this.#hold(done.catch((error: unknown) => this.log("error", "setting the alarm failed", { error: String(error) })));
  }
}

/** The statuses whose responses must not have a body, not even an empty one. */
const bodiless = new Set([101, 204, 205, 304]);

function pairs(flat: string[]): Record<string, string> {
  const out: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) out[flat[i] as string] = flat[i + 1] as string;
  return out;
}
