// A proxy of the sockets between the page and its agent. A test can close them, stall them, and send frames in the server's place.
import type { Page, WebSocketRoute } from "@playwright/test";

/** The fields of the page's frames that tests read. */
export interface Frame {
  type: string;
  id: string;
  method?: string;
}

/** SocketProxy forwards frames between a page and its agent. */
export class SocketProxy {
  private sockets: WebSocketRoute[] = [];
  private held = false;
  private attempted: () => void = () => undefined;
  private answer: (frame: Frame) => object[] | undefined = () => undefined;

  /** Makes the proxy of a page that has not connected yet. */
  static async of(page: Page): Promise<SocketProxy> {
    const proxy = new SocketProxy();
    await page.routeWebSocket(/\/agents\/assistant\//, (socket) => proxy.open(socket));
    return proxy;
  }

  private open(socket: WebSocketRoute): void {
    this.sockets.push(socket);
    this.attempted();
    if (this.held) return;
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const frames = this.answer(JSON.parse(String(message)) as Frame);
      if (frames) for (const frame of frames) socket.send(JSON.stringify(frame));
      else server.send(message);
    });
  }

  /** Answers the page's frames in the server's place, if `answer` returns frames for them. */
  answers(answer: (frame: Frame) => object[] | undefined): void {
    this.answer = answer;
  }

  /** From now on connections are accepted and nothing answers. */
  hold(): void {
    this.held = true;
  }

  /**
   * Resolves at the page's next attempt to connect. While connections are held, it is the last attempt that the page
   * makes by itself.
   */
  attempt(): Promise<void> {
    return new Promise((resolve) => {
      this.attempted = resolve;
    });
  }

  release(): void {
    this.held = false;
  }

  /** Closes every connection, as a network failure or a deployment does. */
  async cut(reason: string): Promise<void> {
    await Promise.all(this.sockets.splice(0).map((socket) => socket.close({ code: 1012, reason })));
  }

  /** Sends a frame to the page in the server's place. */
  send(frame: object): void {
    this.sockets.at(-1)?.send(JSON.stringify(frame));
  }
}
