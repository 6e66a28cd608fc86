// A Durable Object that does nothing but send: what frames cost in wrangler dev, whoever makes them.
import { DurableObject } from "cloudflare:workers";

const chunk = JSON.stringify({ type: "text-delta", id: "p1", delta: "c0 ".padEnd(16, "x") });
const event = { kind: "chunk", runId: "call_r6J_EZIP2THJzb3B", body: chunk };
const frame = { type: "agent-tool-event", parentToolCallId: event.runId, sequence: 1, replay: true, event };

export class Bare extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    const text = JSON.stringify(frame);
    for (let n = Number(new URL(request.url).searchParams.get("frames")); n > 0; n--) server.send(text);
    return new Response(null, { status: 101, webSocket: client });
  }
}

export default {
  fetch: (request: Request, env: { Bare: DurableObjectNamespace<Bare> }) => env.Bare.getByName("bare").fetch(request),
};
