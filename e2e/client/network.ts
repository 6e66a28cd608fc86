// A network without a server: sockets that open, receive and close when a test says so.

export class FakeSocket extends EventTarget {
  /** The socket that the tab has made last. */
  static current: FakeSocket | undefined;

  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;

  readyState = FakeSocket.CONNECTING;
  binaryType = "blob";
  private frames: string[] = [];
  private broken = false;

  constructor(readonly url: string) {
    super();
    FakeSocket.current = this;
  }

  send(frame: string): void {
    this.frames.push(frame);
  }

  /** The tab closes the socket. */
  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  /** Removes and returns the frames that the tab has sent. */
  sent(): unknown[] {
    return this.frames.splice(0).map((frame) => JSON.parse(frame));
  }

  opened(): void {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  hear(data: string): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /**
   * The connection is lost. Its close event comes later, after the frames that were received before, as in a frozen
   * page.
   */
  broke(): void {
    this.broken = true;
    this.readyState = FakeSocket.CLOSED;
  }

  closed(code: number): void {
    if (this.readyState === FakeSocket.CLOSED && !this.broken) return;
    this.broken = false;
    this.readyState = FakeSocket.CLOSED;
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason: "", wasClean: code !== 1006 }));
  }
}
