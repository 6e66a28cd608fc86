// The peer: the same agents on Cloudflare's own SDK, with its agent tools, saying the same words in the same chunks. Both
// write what a model would have said straight into the stream, which spares them the AI SDK's own work.
import { AIChatAgent } from "@cloudflare/ai-chat";
import { routeAgentRequest } from "agents";
import { createUIMessageStream, createUIMessageStreamResponse, type UIMessage, type UIMessageStreamWriter } from "ai";

/** A helper that answers what it is asked. */
export class Researcher extends AIChatAgent {
  override async onChatMessage(): Promise<Response> {
    const chunks = number(asked(this.messages), "chunks", 5);
    return answer((writer) => step(writer, () => say(writer, chunks)));
  }
}

/** Obeys tool=fan n=K: K helpers under one tool call, each asked the same. Without it, it answers by itself. */
export class Assistant extends AIChatAgent {
  override async onChatMessage(): Promise<Response> {
    const query = asked(this.messages);
    return answer(async (writer) => {
      if (query.includes("tool=fan")) await step(writer, () => this.#fan(writer, query));
      await step(writer, () => say(writer, query.includes("tool=fan") ? 3 : number(query, "chunks", 5)));
    });
  }

  async #fan(writer: UIMessageStreamWriter, query: string): Promise<void> {
    const toolCallId = crypto.randomUUID();
    const [n, chunks] = [number(query, "n", 3), number(query, "chunks", 5)];
    writer.write({ type: "tool-input-available", toolCallId, toolName: "fan", input: { n, query } });
    const input = { query: `durable execution chunks=${chunks}` };
    const runs = Array.from({ length: n }, (_, displayOrder) =>
      this.runAgentTool(Researcher, { input, parentToolCallId: toolCallId, displayOrder }),
    );
    const done = (await Promise.all(runs)).filter(({ status }) => status === "completed");
    writer.write({ type: "tool-output-available", toolCallId, output: { ok: done.length, failed: n - done.length } });
  }

  /** As its documentation has it: no run, no helper. */
  override async onBeforeSubAgent(_: Request, { className, name }: { className: string; name: string }) {
    if (!this.hasAgentToolRun(className, name)) return new Response("Not found", { status: 404 });
  }
}

function asked(messages: UIMessage[]): string {
  return messages.at(-1)?.parts.find((part) => part.type === "text")?.text ?? "";
}

function number(text: string, key: string, usual: number): number {
  return Number(new RegExp(`\\b${key}=(\\d+)`).exec(text)?.[1] ?? usual);
}

function answer(execute: (writer: UIMessageStreamWriter) => Promise<void>): Response {
  return createUIMessageStreamResponse({
    stream: createUIMessageStream({
      execute: async ({ writer }) => {
        writer.write({ type: "start" });
        await execute(writer);
        writer.write({ type: "finish" });
      },
    }),
  });
}

async function step(writer: UIMessageStreamWriter, work: () => Promise<void> | void): Promise<void> {
  writer.write({ type: "start-step" });
  await work();
  writer.write({ type: "finish-step" });
}

function say(writer: UIMessageStreamWriter, chunks: number): void {
  writer.write({ type: "text-start", id: "p1" });
  for (let i = 0; i < chunks; i++) writer.write({ type: "text-delta", id: "p1", delta: `c${i} `.padEnd(16, "x") });
  writer.write({ type: "text-end", id: "p1" });
}

export default {
  async fetch(request: Request, env: Record<string, unknown>): Promise<Response> {
    return (await routeAgentRequest(request, env)) ?? new Response("Not found", { status: 404 });
  },
};
