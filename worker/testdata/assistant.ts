import { DurableObject } from "cloudflare:workers";

/** An agent that returns its name and what it was sent, over HTTP or a socket. */
export class Assistant extends DurableObject {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const until = searchParams.getAll("_until").join();
    if (searchParams.has("until") && request.headers.get("Upgrade") !== "websocket") {
      return new Response(`until ${until} ${await request.text()}`);
    }
    if (request.headers.get("Upgrade") !== "websocket") {
      return new Response(`${this.ctx.id.name} ${await request.text()}`, { headers: { "x-agent": "yes" } });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [`until ${until}`]);
    return new Response(null, { status: 101, webSocket: client });
  }

  webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    const [until] = this.ctx.getTags(socket);
    socket.send(message === "until" ? String(until) : `${this.ctx.id.name} ${message}`);
  }
}
