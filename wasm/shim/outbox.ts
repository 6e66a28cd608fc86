// What sockets were sent and have not taken. The platform keeps that in memory, without a limit. So a socket that is behind is
// sent nothing until it has caught up, and one that stays behind is closed.

/** Above this many bytes that the platform keeps for a socket, the socket is sent nothing: what follows is held here. */
export const maxBuffered = 1 << 20;
/** Above this many bytes that a socket has not taken, it is closed. */
export const maxBehind = 4 << 20;
/** How often the sockets are looked at for which something is held, in milliseconds. */
const lookEvery = 100;
/** How often a socket is looked at without having taken anything before it is closed: half a minute. */
const maxIdle = 300;

const code = 1008;
const reason = "the client does not take what it is sent";

/** The part of a socket that is needed here. */
export type Taker = Pick<WebSocket, "send" | "close"> & { readonly bufferedAmount?: number };

/** What a socket has not taken. */
interface Behind {
  socket: Taker;
  held: string[];
  heldLength: number;
  /** The event that has sent it something last, and how much that was. */
  event: number;
  sent: number;
  /** How much of it one event has sent, if that is more than the limit: a client is not slow for a long replay. */
  excused: number;
  /** How much it was when it was looked at last, and how often that has not become less. */
  seen: number;
  idle: number;
}

interface Host {
  /** Is told of a socket that was closed, whose client may never answer the close frame. */
  closed(conn: string, code: number, reason: string): void;
  /** Is told of a socket that does not take a message that was held. */
  failed(conn: string, socket: Taker, error: unknown): void;
}

export class Outbox {
  readonly #host: Host;
  readonly #behind = new Map<string, Behind>();
  #event = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Begins the messages of another event. */
  begin(): void {
    this.#event++;
  }

  /** Sends a message to the socket of a connection, or holds it. It closes a socket that is too far behind. */
  send(conn: string, socket: Taker, text: string): void {
    const buffered = bufferedBy(socket);
    let behind = this.#behind.get(conn);
    if (!behind && buffered <= maxBuffered) {
      socket.send(text);
      return;
    }
    behind ??= this.#follow(conn, socket);
    if (behind.event !== this.#event && this.#isOver(behind, buffered + behind.heldLength)) {
      this.#close(conn, behind);
      return;
    }
    behind.sent += text.length;
    behind.held.push(text);
    behind.heldLength += text.length;
    release(behind);
  }

  /** Forgets a connection that has ended. */
  forget(conn: string): void {
    this.#behind.delete(conn);
  }

  /** Whether a socket is too far behind when another event sends it something. */
  #isOver(behind: Behind, untaken: number): boolean {
    if (behind.sent > maxBehind) behind.excused = Math.max(behind.excused, behind.sent);
    behind.excused = Math.min(behind.excused, untaken);
    behind.event = this.#event;
    behind.sent = 0;
    return untaken - behind.excused > maxBehind;
  }

  #follow(conn: string, socket: Taker): Behind {
    const behind = { socket, held: [], heldLength: 0, event: this.#event, sent: 0, excused: 0, seen: 0, idle: 0 };
    this.#behind.set(conn, behind);
    this.#arm();
    return behind;
  }

  /** Sends what was held to the sockets that have caught up, and forgets those that have taken all of it. */
  #look(): void {
    for (const [conn, behind] of this.#behind) {
      try {
        release(behind);
      } catch (error) {
        this.#behind.delete(conn);
        this.#host.failed(conn, behind.socket, error);
        continue;
      }
      const untaken = bufferedBy(behind.socket) + behind.heldLength;
      behind.idle = untaken < behind.seen ? 0 : behind.idle + 1;
      behind.seen = untaken;
      if (behind.held.length === 0) this.#behind.delete(conn);
      else if (behind.idle > maxIdle) this.#close(conn, behind);
    }
    this.#arm();
  }

  #close(conn: string, { socket }: Behind): void {
    this.#behind.delete(conn);
    socket.close(code, reason);
    this.#host.closed(conn, code, reason);
  }

  #arm(): void {
    if (this.#behind.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, lookEvery);
  }
}

/** Sends a socket what is held for it, until the platform keeps too much of that. */
function release(behind: Behind): void {
  let sent = 0;
  while (sent < behind.held.length && bufferedBy(behind.socket) <= maxBuffered) {
    const text = behind.held[sent++] as string;
    behind.heldLength -= text.length;
    behind.socket.send(text);
  }
  behind.held.splice(0, sent);
}

/** How many bytes the platform keeps for a socket. */
function bufferedBy(socket: Taker): number {
  return socket.bufferedAmount ?? 0;
}
