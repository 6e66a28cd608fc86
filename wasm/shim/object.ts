// A Durable Object that wraps an object of the module. Whatever happens to it becomes an event, and it performs the commands
// that the module returns. Nothing here knows what a message means.
import { DurableObject } from "cloudflare:workers";
import type { Event, Of } from "./abi.ts";
import { Clock } from "./clock.ts";
import { containmentOf } from "./containment.ts";
import { type Cost, costs } from "./cost.ts";
import { type Identity, identity, pathOf } from "./facets.ts";
import type { Sql } from "./instance.ts";
import { Performer } from "./perform.ts";
import type { Registration } from "./registration.ts";
import { isUpgrade, readBody, target } from "./request.ts";
import { ObjectRunner, RefusedError } from "./runner.ts";
import { senderOf } from "./sender.ts";
import { maxBody, maxMessage, variables } from "./settings.ts";
import { claimsOf, closeSocket, connections, PendingSocket } from "./socket.ts";

// The platform drops an object without notice. Its part in a shared instance is closed when the wrapper is collected.
const collected = new FinalizationRegistry<Registration>((registration) => registration.leave());

/** What became of an event. A lost event has had no effect. A refused one neither, because its object was not opened. */
type Outcome = "happened" | "lost" | "refused";

/** What the callers of an object are told whose event was not handled. */
const reasons = {
  lost: "the object failed",
  refused: "This conversation was written by another version of this program. Try again later.",
};
/** The status of a request whose headers are too large. A socket is closed with 4000 plus the status. */
const tooLarge = 431;
const headersTooLarge = "Request header fields too large";
/** When a client that was refused may ask again, in seconds. */
const retryAfter = 10;
/** How long after an alarm that was refused the next one comes, in milliseconds. */
const alarmAgain = 5 * 60_000;

/** What comes with an event. An Opened before that event must not name it. */
function arrivingOf(event: Event | undefined): string {
  switch (event?.kind) {
    case "SocketOpened":
      return event.conn;
    case "RequestReceived":
      return event.request;
    case "CallReceived":
      return event.call;
    case "StreamRequested":
      return event.stream;
    default:
      return "";
  }
}

/** Uses what became of an event: at once, unless the event waits. */
function when<T>(outcome: Outcome | Promise<Outcome>, use: (outcome: Outcome) => T): T | Promise<T> {
  return outcome instanceof Promise ? outcome.then(use) : use(outcome);
}

/** Answers a request whose event was not handled. Clients retry a failed upgrade. */
function unhandled(outcome: "lost" | "refused"): Response {
  if (outcome === "lost") return new Response(null, { status: 500 });
  return new Response(reasons.refused, { status: 503, headers: { "Retry-After": String(retryAfter) } });
}

/**
 * The base of all objects, both roots and facets. A subclass names its module, and its class there. The Worker exports the
 * class of a facet under its name in Go.
 */
export abstract class ModuleObject extends DurableObject<Record<string, unknown>> {
  static module: WebAssembly.Module;
  static agent: string;
  /** Makes an object's clock. It is static because other objects could call a method. */
  static clock(env: Record<string, unknown>): Pick<Clock, "now" | "platform"> {
    return new Clock(env);
  }
  /** What the object uses. It is no method and no getter, so no other object can reach it. */
  protected readonly cost: Cost;
  readonly #clock: Pick<Clock, "now" | "platform">;
  readonly #who: Identity;
  readonly #performer: Performer;
  readonly #runner: ObjectRunner;

  constructor(state: DurableObjectState, env: Record<string, unknown>) {
    super(state, env);
    const subclass = this.constructor as typeof ModuleObject;
    const { agent, module } = subclass;
    const who = identity(state);
    this.#who = who;
    const { name } = who;
    const { storage } = state;
    const clock = subclass.clock(env);
    this.#clock = clock;
    const path = pathOf(who);
    this.cost = costs.open(path, clock.now(), who.facet);
    this.#performer = new Performer({
      state,
      clock,
      secrets: env,
      who,
      agent,
      cost: this.cost,
      deliver: (event, gone) => {
        const outcome = this.#attempt(event, gone);
        return outcome instanceof Promise ? outcome.then(() => {}) : undefined;
      },
    });
    this.#runner = new ObjectRunner(containmentOf(module, env.TRIBUTARY_INSTANCE === "object"), who.tree, {
      now: () => clock.now(),
      transaction: (run) => storage.transactionSync(run),
      sql: (statement, args) => this.#run(statement, args),
      costs: () => costs.ask(path),
      opened: (lost, event) => {
        const arriving = arrivingOf(event);
        this.#performer.abort(arriving);
        const conns = connections(state, arriving);
        return { kind: "Opened", class: agent, name, conns, ...variables(env), lost };
      },
      synced: () => storage.sync(),
      perform: (commands) => this.#performer.perform(commands),
      busy: () => this.#performer.busy,
      instanceLost: () => this.#wake(),
    });
    collected.register(this, this.#runner.registration);
    if (!who.facet) state.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  override async fetch(request: Request): Promise<Response> {
    return isUpgrade(request) ? this.#connect(request) : this.#request(request);
  }

  /**
   * Answers a call of another object of the tree. Objects call only this method and open of each other, and pass only
   * bytes.
   */
  async call(data: Uint8Array): Promise<Uint8Array> {
    const { answers } = this.#performer;
    const id = crypto.randomUUID();
    const answer = answers.wait(id);
    const outcome = this.#attempt({ kind: "CallReceived", call: id, data });
    const fail = (what: Outcome) => {
      if (what !== "happened") answers.fail(id, reasons[what]);
    };
    if (outcome instanceof Promise) void outcome.then(fail);
    else fail(outcome);
    return answer;
  }

  /** Opens a stream of this object that another object of the tree reads. */
  open(data: Uint8Array): ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>> {
    const { writers } = this.#performer;
    const id = crypto.randomUUID();
    const body = writers.open(id);
    return when(this.#attempt({ kind: "StreamRequested", stream: id, data }), (outcome) => {
      if (outcome === "happened") return body;
      writers.fail(id, reasons[outcome]);
      throw new Error(reasons[outcome]);
    });
  }

  /**
   * Sends a signal to a run of a root, for a Worker or a Workflow that has the root's binding: it is the request that the
   * front door would forward, from a sender to whom everything is granted. A signal with the id of an earlier one changes
   * nothing. It throws if the object has failed, so that the caller tries again.
   */
  async signal(run: string, name: string, payload: unknown, id: string): Promise<{ status: number; body: string }> {
    if (this.#who.facet) throw new Error("a helper does not implement signals");
    const path = `runs/${encodeURIComponent(run)}/signals/${encodeURIComponent(name)}`;
    const answer = await this.#ask({
      method: "POST",
      url: `/agents/root/${this.#who.name}/${path}`,
      body: new TextEncoder().encode(JSON.stringify(payload ?? null)),
      header: { "content-type": "application/json", "idempotency-key": id },
      claims: "",
    });
    if (answer.status >= 500) throw new Error(`the signal was answered with ${answer.status}`);
    return { status: answer.status, body: await answer.text() };
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void | Promise<void> {
    if (socket.readyState !== WebSocket.READY_STATE_OPEN) return; // the object has closed it, and the client still sends
    const tags = this.ctx.getTags(socket);
    const [conn = ""] = tags;
    const isText = typeof message === "string";
    const length = isText ? message.length : message.byteLength;
    this.cost.up += length;
    if (length > maxMessage) {
      socket.close(1009, `message of more than ${maxMessage} characters`);
      return;
    }
    const [text, data] = isText ? [message, null] : ["", new Uint8Array(message)];
    const outcome = this.#attempt({
      kind: "SocketMessage",
      conn,
      text,
      binary: !isText,
      data,
      claims: claimsOf(socket, tags),
    });
    // The sender may wait for an answer for ever. A client whose socket is closed reconnects and asks again.
    return when(outcome, (what) => {
      if (what !== "happened") socket.close(what === "lost" ? 1011 : 1013, reasons[what]);
    });
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    this.#closed(socket, code, reason);
    closeSocket(socket, code, reason);
  }

  override webSocketError(socket: WebSocket): void {
    this.#closed(socket, 1006, "");
  }

  /**
   * Throws if the event was lost, so that the platform retries the alarm. The platform gives up after six retries, within
   * minutes. An older version can be deployed for longer, so an alarm that was refused is set again.
   */
  override alarm(): void | Promise<void> {
    const refused = (error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      this.#performer.log("error", "AlarmFired was refused", { error: String(error) });
      this.#performer.perform([{ kind: "SetAlarm", at: this.#clock.now() + alarmAgain }]);
    };
    try {
      return this.#deliver({ kind: "AlarmFired" })?.catch(refused);
    } catch (error) {
      refused(error);
    }
  }

  #connect(request: Request): Response | Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair();
    const sender = senderOf(request);
    const pendingSocket = new PendingSocket(this.ctx, server, sender?.claims ?? "");
    const { conn } = pendingSocket;
    if (!sender) {
      pendingSocket.refuse(4000 + tooLarge, headersTooLarge);
      return new Response(null, { status: 101, webSocket: client });
    }
    const { pendingSockets } = this.#performer;
    pendingSockets.set(conn, pendingSocket);
    return when(this.#attempt({ kind: "SocketOpened", conn, url: target(request), ...sender }), (outcome) => {
      pendingSockets.delete(conn);
      if (outcome !== "happened") return unhandled(outcome);
      pendingSocket.accept();
      return new Response(null, { status: 101, webSocket: client });
    });
  }

  async #request(request: Request): Promise<Response> {
    const sender = senderOf(request);
    const body = await readBody(request, maxBody);
    if (!sender) return new Response(headersTooLarge, { status: tooLarge });
    if (body === undefined) return new Response(null, { status: 413 });
    return this.#ask({ method: request.method, url: target(request), body, ...sender });
  }

  /** Delivers a request, and resolves to its response. */
  #ask(asked: Omit<Of<Event, "RequestReceived">, "kind" | "request">): Promise<Response> {
    this.cost.up += asked.body?.length ?? 0;
    const id = crypto.randomUUID();
    const answer = this.#performer.answer(id);
    const event: Event = { kind: "RequestReceived", request: id, ...asked };
    void when(this.#attempt(event), (outcome) => {
      if (outcome !== "happened") this.#performer.fail(id, unhandled(outcome));
    });
    return answer;
  }

  /** Runs a statement to its end, and counts it. */
  #run(...[statement, args]: Parameters<Sql>): ReturnType<Sql> {
    const cursor = this.ctx.storage.sql.exec(statement, ...args);
    const rows = [...cursor.raw()] as ReturnType<Sql>;
    this.cost.add(cursor);
    return rows;
  }

  /** Delivers an event, and says what became of it. After a loss the next event finds a new instance. */
  #attempt(event: Event, gone?: () => boolean): Outcome | Promise<Outcome> {
    const failed = (error: unknown): Outcome => {
      const outcome = error instanceof RefusedError ? "refused" : "lost";
      this.#performer.log("error", `${event.kind} was ${outcome}`, { error: String(error) });
      return outcome;
    };
    try {
      return this.#deliver(event, gone)?.then((): Outcome => "happened", failed) ?? "happened";
    } catch (error) {
      return failed(error);
    }
  }

  #deliver(event: Event, gone?: () => boolean): Promise<void> | undefined {
    const end = (arriving: string) => {
      this.cost.resume();
      // Callers of an in-memory part that is gone would wait in vain. A refused event leaves the in-memory part as it is.
      if (!this.#runner.registration.instance) this.#performer.abandon(arriving);
    };
    const failed = (error: unknown): never => {
      end(arrivingOf(event));
      throw error;
    };
    let waits: Promise<void> | undefined;
    try {
      waits = this.#runner.deliver(event, gone);
    } catch (error) {
      failed(error);
    }
    if (waits) return waits.then(() => end(""), failed);
    end("");
    return undefined;
  }

  /** Opens the object again. Its pending work would otherwise wait for the next event, which may come late. */
  #wake(): void {
    const failed = (error: unknown) => this.#performer.log("error", "Opened was lost", { error: String(error) });
    try {
      this.#runner.open()?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #closed(socket: WebSocket, code: number, reason: string): void {
    const conn = this.#conn(socket);
    void when(this.#attempt({ kind: "SocketClosed", conn, code, reason }), () => this.#performer.forget(conn));
  }

  #conn(socket: WebSocket): string {
    return this.ctx.getTags(socket)[0] ?? "";
  }
}
