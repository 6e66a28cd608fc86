// A network without a server: sockets that open, speak and close when a test says so.

export class FakeSocket extends EventTarget {
  /** The one that the tab made last. */
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

  /** What the tab does when it gives up. */
  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  /** Takes what the tab has sent. */
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

  /** It is gone, and its close event comes behind what it has heard before, as for a page that is frozen. */
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
