// A Durable Object that is a thin coat around an object of the module: what happens to it becomes an event, and what the
// module answers is performed. Nothing here knows what a message means.
import { DurableObject } from "cloudflare:workers";
import type { Event } from "./abi.ts";
import { Clock } from "./clock.ts";
import { containmentOf } from "./containment.ts";
import { identity } from "./facets.ts";
import type { Sql } from "./instance.ts";
import { Performer } from "./perform.ts";
import type { Place } from "./place.ts";
import { isUpgrade, readBody, target } from "./request.ts";
import { Seat } from "./seat.ts";
import { maxBody, maxMessage, variables } from "./settings.ts";
import { Arrival, connections, farewell } from "./socket.ts";

// The platform drops an object without a word. Its part in a shared instance goes when the coat is collected.
const collected = new FinalizationRegistry<Place>((place) => place.leave());

/** What another object is told where the event that would have answered it was lost. */
const lost = "the object failed";

/**
 * The base of all objects, roots and facets alike. A subclass names the module that it lives in, and its class there. A
 * class that shall live in facets is exported from the Worker under the name that it has in Go.
 */
export abstract class ModuleObject extends DurableObject<Record<string, unknown>> {
  static module: WebAssembly.Module;
  static agent: string;
  /** Makes the clock that an object lives by. Static, since every other object could call a method. */
  static clock(env: Record<string, unknown>): Pick<Clock, "now" | "platform"> {
    return new Clock(env);
  }
  readonly #performer: Performer;
  readonly #seat: Seat;
  /** The socket, request, call or stream that an event is telling of: no Opened that comes before it may know of it. */
  #arriving = "";

  constructor(state: DurableObjectState, env: Record<string, unknown>) {
    super(state, env);
    const coat = this.constructor as typeof ModuleObject;
    const { agent, module } = coat;
    const who = identity(state);
    const { name } = who;
    const { storage } = state;
    const clock = coat.clock(env);
    this.#performer = new Performer({
      state,
      clock,
      secrets: env,
      who,
      agent,
      deliver: (event, gone) => void this.#attempt(event, gone),
    });
    this.#seat = new Seat(containmentOf(module, env.TRIBUTARY_INSTANCE === "object"), who.tree, {
      now: () => clock.now(),
      transaction: (run) => storage.transactionSync(run),
      sql: (statement, args) => [...storage.sql.exec(statement, ...args).raw()] as ReturnType<Sql>,
      opened: (lost) => {
        this.#performer.abort(this.#arriving);
        const conns = connections(state, this.#arriving);
        return { kind: "Opened", class: agent, name, conns, ...variables(env), lost };
      },
      perform: (commands) => this.#performer.perform(commands),
      busy: () => this.#performer.busy,
      orphaned: () => this.#wake(),
    });
    collected.register(this, this.#seat.place);
    if (!who.facet) state.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  override async fetch(request: Request): Promise<Response> {
    return isUpgrade(request) ? this.#connect(request) : this.#request(request);
  }

  /** Answers another object of the tree. With open it is all that one object can ask of another: only bytes cross. */
  async call(data: Uint8Array): Promise<Uint8Array> {
    const { answers } = this.#performer;
    const id = crypto.randomUUID();
    const answer = answers.wait(id);
    if (!this.#arrive(id, { kind: "CallReceived", call: id, data })) answers.fail(id, lost);
    return answer;
  }

  /** Opens a stream of this object for another one of the tree. */
  open(data: Uint8Array): ReadableStream<Uint8Array> {
    const { writings } = this.#performer;
    const id = crypto.randomUUID();
    const body = writings.open(id);
    if (this.#arrive(id, { kind: "StreamRequested", stream: id, data })) return body;
    writings.fail(id, lost);
    throw new Error(lost);
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    const conn = this.#conn(socket);
    const told = typeof message === "string";
    if ((told ? message.length : message.byteLength) > maxMessage) {
      socket.close(1009, `message of more than ${maxMessage} characters`);
      return;
    }
    const [text, data] = told ? [message, null] : ["", new Uint8Array(message)];
    if (this.#attempt({ kind: "SocketMessage", conn, text, binary: !told, data })) return;
    // Its sender may wait for an answer without a limit. A client that is cut off comes back and asks.
    socket.close(1011, "the object failed");
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    this.#attempt({ kind: "SocketClosed", conn: this.#conn(socket), code, reason });
    farewell(socket, code, reason);
  }

  override webSocketError(socket: WebSocket): void {
    this.#attempt({ kind: "SocketClosed", conn: this.#conn(socket), code: 1006, reason: "" });
  }

  /** Throws where the event was lost, so that the platform tries again. */
  override alarm(): void {
    this.#deliver({ kind: "AlarmFired" });
  }

  #connect(request: Request): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    const arrival = new Arrival(this.ctx, server);
    const { conn } = arrival;
    this.#performer.arrival = arrival;
    if (!this.#arrive(conn, { kind: "SocketOpened", conn, url: target(request) }))
      return new Response(null, { status: 500 });
    arrival.keep();
    return new Response(null, { status: 101, webSocket: client });
  }

  async #request(request: Request): Promise<Response> {
    const body = await readBody(request, maxBody);
    if (body === undefined) return new Response(null, { status: 413 });
    const id = crypto.randomUUID();
    const answer = this.#performer.answer(id);
    const event: Event = { kind: "RequestReceived", request: id, method: request.method, url: target(request), body };
    if (!this.#arrive(id, event)) this.#performer.fail(id, 500);
    return answer;
  }

  #arrive(id: string, event: Event): boolean {
    this.#arriving = id;
    const happened = this.#attempt(event);
    this.#arriving = "";
    return happened;
  }

  /** Delivers an event whose sender cannot be told that it was lost. The next event finds a new instance. */
  #attempt(event: Event, gone?: () => boolean): boolean {
    try {
      this.#deliver(event, gone);
      return true;
    } catch (error) {
      this.#performer.log("error", `${event.kind} was lost`, { error: String(error) });
      return false;
    }
  }

  #deliver(event: Event, gone?: () => boolean): void {
    let arriving = this.#arriving;
    try {
      this.#seat.deliver(event, gone);
      arriving = "";
    } finally {
      // What waits for an in-memory part that has gone waits in vain; an event that was only refused has left it alone.
      if (!this.#seat.place.instance) this.#performer.abandon(arriving);
    }
  }

  /** What is under way would otherwise wait for the object's next event, which may be far. */
  #wake(): void {
    try {
      this.#seat.open();
    } catch (error) {
      this.#performer.log("error", "Opened was lost", { error: String(error) });
    }
  }

  #conn(socket: WebSocket): string {
    return this.ctx.getTags(socket)[0] ?? "";
  }
}
