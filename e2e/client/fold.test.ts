// The vectors of durable/protocol, which test Go's fold, applied to the published client's own: to the one for messages,
// and to the one for the runs of helpers.
import { applyAgentToolEvent, createAgentToolEventState, StreamAccumulator } from "agents/chat";
import { expect, test } from "vitest";
import vectors from "../../durable/protocol/testdata/fold.json";

test.each(vectors)("$name", ({ chunks, message }) => {
  const accumulator = new StreamAccumulator({ messageId: "unset" });
  for (const chunk of chunks) accumulator.applyChunk(chunk as never);
  expect(accumulator.toMessage()).toEqual(message);
});

test.each(vectors)("$name, in a run", ({ chunks, message }) => {
  const events = [
    { kind: "started", runId: "r", agentType: "Clerk", order: 0 },
    ...chunks.map((chunk) => ({ kind: "chunk", runId: "r", body: JSON.stringify(chunk) })),
  ];
  const state = events.reduce(
    (before, event, sequence) => applyAgentToolEvent(before, { type: "agent-tool-event", sequence, event } as never),
    createAgentToolEventState(),
  );
  expect(state.runsById.r?.parts).toEqual(message.parts);
});
