// The peer: the same agent on Cloudflare's own SDK, answering the same words with the same chunks.
import { AIChatAgent } from "@cloudflare/ai-chat";
import { routeAgentRequest } from "agents";
import { createUIMessageStream, createUIMessageStreamResponse } from "ai";

export class Assistant extends AIChatAgent {
  override async onChatMessage(): Promise<Response> {
    const last = this.messages.at(-1)?.parts.find((part) => part.type === "text")?.text ?? "";
    const chunks = Number(/chunks=(\d+)/.exec(last)?.[1] ?? 5);
    const stream = createUIMessageStream({
      execute: ({ writer }) => {
        writer.write({ type: "start" });
        writer.write({ type: "start-step" });
        writer.write({ type: "text-start", id: "p1" });
        for (let i = 0; i < chunks; i++) {
          writer.write({ type: "text-delta", id: "p1", delta: `c${i} `.padEnd(16, "x") });
        }
        writer.write({ type: "text-end", id: "p1" });
        writer.write({ type: "finish-step" });
        writer.write({ type: "finish" });
      },
    });
    return createUIMessageStreamResponse({ stream });
  }
}

export default {
  async fetch(request: Request, env: Record<string, unknown>): Promise<Response> {
    return (await routeAgentRequest(request, env)) ?? new Response("Not found", { status: 404 });
  },
};
