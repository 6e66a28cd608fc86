// The line between the page and its agent, in a test's hands: it can be cut, held, and say what a server would.
import type { Page, WebSocketRoute } from "@playwright/test";

/** What is read of a frame of the page's. */
export interface Frame {
  type: string;
  id: string;
  method?: string;
}

export class Line {
  private sockets: WebSocketRoute[] = [];
  private held = false;
  private attempted: () => void = () => undefined;
  private answer: (frame: Frame) => object[] | undefined = () => undefined;

  /** Takes the line of a page that has not connected yet. */
  static async of(page: Page): Promise<Line> {
    const line = new Line();
    await page.routeWebSocket(/\/agents\/assistant\//, (socket) => line.open(socket));
    return line;
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

  /** From now on the page is answered in the server's place, wherever answer gives any frames for what it says. */
  answers(answer: (frame: Frame) => object[] | undefined): void {
    this.answer = answer;
  }

  /** From now on nobody answers at the other end. */
  hold(): void {
    this.held = true;
  }

  /** The page's next attempt to connect. On a line that is held it is the last that the page makes by itself. */
  attempt(): Promise<void> {
    return new Promise((resolve) => {
      this.attempted = resolve;
    });
  }

  release(): void {
    this.held = false;
  }

  /** Cuts every connection, as a network or a deploy does. */
  async cut(reason: string): Promise<void> {
    await Promise.all(this.sockets.splice(0).map((socket) => socket.close({ code: 1012, reason })));
  }

  /** Says something to the page in the server's place. */
  say(frame: object): void {
    this.sockets.at(-1)?.send(JSON.stringify(frame));
  }
}
