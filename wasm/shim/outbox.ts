// What sockets were sent and have not taken. The platform keeps that in memory, without a limit. So a socket that is behind is
// sent nothing until it has caught up, and one that stays behind is closed. All sockets of an object together have a limit too:
// beyond it those are closed that have the most, and their clients connect again.

/** Above this many bytes that the platform keeps for a socket, the socket is sent nothing: what follows is held here. */
export const maxBuffered = 1 << 20;
/** Above this many bytes that a socket has not taken, it is closed. */
export const maxBehind = 4 << 20;
/** Above this many bytes that all sockets of an object have not taken, those are closed that have the most of them. */
export const maxAll = 32 << 20;
/** So many bytes of a socket are not counted among those of all. */
const fewBytes = 16 << 10;
/** How often the sockets are looked at for which something is held, in milliseconds. */
const lookEvery = 100;
/** How often a socket is looked at without having taken anything before it is closed: half a minute. */
const maxIdle = 300;

const slow = { code: 1008, reason: "the client does not take what it is sent" };
const crowded = { code: 1013, reason: "the clients of this object do not take what they are sent" };

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
  /** What the platform keeps for the sockets, as it was seen last, and the sum of that and of what is held. */
  readonly #buffered = new Map<string, { socket: Taker; bytes: number }>();
  #all = 0;
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
    const buffered = this.#see(conn, socket);
    let behind = this.#behind.get(conn);
    if (!behind && buffered <= maxBuffered) {
      socket.send(text);
      this.#see(conn, socket);
      this.#makeRoom();
      return;
    }
    behind ??= this.#follow(conn, socket);
    if (behind.event !== this.#event && this.#isOver(behind, buffered + behind.heldLength)) {
      this.#close(conn, socket, slow);
      return;
    }
    behind.sent += text.length;
    behind.held.push(text);
    behind.heldLength += text.length;
    this.#all += text.length;
    this.#release(conn, behind);
    this.#makeRoom();
  }

  /** Forgets a connection that has ended. */
  forget(conn: string): void {
    this.#all -= (this.#behind.get(conn)?.heldLength ?? 0) + (this.#buffered.get(conn)?.bytes ?? 0);
    this.#behind.delete(conn);
    this.#buffered.delete(conn);
  }

  /** Looks at what the platform keeps for a socket. */
  #see(conn: string, socket: Taker): number {
    const bytes = bufferedBy(socket);
    const before = this.#buffered.get(conn)?.bytes ?? 0;
    const counted = bytes > fewBytes ? bytes : 0;
    if (counted > 0) this.#buffered.set(conn, { socket, bytes: counted });
    else if (before > 0) this.#buffered.delete(conn);
    this.#all += counted - before;
    return bytes;
  }

  /** Closes the sockets that have the most, while all of them together are too far behind. */
  #makeRoom(): void {
    if (this.#all <= maxAll) return;
    for (const [conn, { socket }] of this.#buffered) this.#see(conn, socket);
    if (this.#all <= maxAll) return;
    const untaken = (conn: string) =>
      (this.#buffered.get(conn)?.bytes ?? 0) + (this.#behind.get(conn)?.heldLength ?? 0);
    const sockets = new Map([...this.#buffered, ...this.#behind].map(([conn, { socket }]) => [conn, socket]));
    for (const [conn, socket] of [...sockets].sort(([a], [b]) => untaken(b) - untaken(a))) {
      if (this.#all <= maxAll) return;
      this.#close(conn, socket, crowded);
    }
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
        this.#release(conn, behind);
      } catch (error) {
        this.forget(conn);
        this.#host.failed(conn, behind.socket, error);
        continue;
      }
      const untaken = bufferedBy(behind.socket) + behind.heldLength;
      behind.idle = untaken < behind.seen ? 0 : behind.idle + 1;
      behind.seen = untaken;
      if (behind.held.length === 0) this.#behind.delete(conn);
      else if (behind.idle > maxIdle) this.#close(conn, behind.socket, slow);
    }
    this.#arm();
  }

  #close(conn: string, socket: Taker, { code, reason }: { code: number; reason: string }): void {
    this.forget(conn);
    socket.close(code, reason);
    this.#host.closed(conn, code, reason);
  }

  /** Sends a socket what is held for it, until the platform keeps too much of that. */
  #release(conn: string, behind: Behind): void {
    let sent = 0;
    while (sent < behind.held.length && bufferedBy(behind.socket) <= maxBuffered) {
      const text = behind.held[sent++] as string;
      behind.heldLength -= text.length;
      this.#all -= text.length;
      behind.socket.send(text);
    }
    behind.held.splice(0, sent);
    this.#see(conn, behind.socket);
  }

  #arm(): void {
    if (this.#behind.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, lookEvery);
  }
}

/** How many bytes the platform keeps for a socket. */
function bufferedBy(socket: Taker): number {
  return socket.bufferedAmount ?? 0;
}
