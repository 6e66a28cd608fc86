// The vectors of durable/protocol, which test Go's fold, applied to the published client's own.
import { StreamAccumulator } from "agents/chat";
import { expect, test } from "vitest";
import vectors from "../../durable/protocol/testdata/fold.json";

test.each(vectors)("$name", ({ chunks, message }) => {
  const accumulator = new StreamAccumulator({ messageId: "unset" });
  for (const chunk of chunks) accumulator.applyChunk(chunk as never);
  expect(accumulator.toMessage()).toEqual(message);
});
