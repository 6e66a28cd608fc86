// What an object is told of who sends a request, and of a socket.
import assert from "node:assert/strict";
import { test } from "node:test";
import { senderOf } from "./sender.ts";
import { claimsOf } from "./socket.ts";

const sent = (headers: [string, string][]) => senderOf({ headers: new Headers(headers) });

test("the headers of the list are passed on, and no others", () => {
  const passed = {
    accept: "text/event-stream",
    "content-type": "application/json",
    "idempotency-key": "k",
    "last-event-id": "7",
    "mcp-method": "tools/call",
    "mcp-name": "search",
    "mcp-param-region": "eu",
    "mcp-protocol-version": "2026-07-28",
    "mcp-session-id": "s",
    origin: "https://a.example",
    "tributary-link": "nonce",
  };
  const others = { authorization: "Bearer t", cookie: "a=b", "x-mcp-param-y": "no", "user-agent": "u", mcp: "no" };
  const sender = sent(Object.entries({ ...passed, ...others, "Tributary-Claims": '{"sub":"ada"}' }));
  assert.deepEqual(sender, { header: passed, claims: '{"sub":"ada"}' });
  assert.deepEqual(sent([]), { header: {}, claims: "" });
});

test("a value of 8 KiB and 16 KiB in all are passed on, and no more", () => {
  const [a, b, c] = ["mcp-param-a", "mcp-param-b", "mcp-param-c"] as const;
  const long = "x".repeat(8 << 10);
  assert.equal(sent([[a, long]])?.header[a], long);
  assert.equal(sent([[a, `${long}x`]]), undefined);
  const rest = "x".repeat((8 << 10) - 3 * a.length);
  const whole: [string, string][] = [
    [a, long],
    [b, rest],
  ];
  assert.ok(sent([...whole, [c, ""]]));
  assert.equal(sent([...whole, [c, "x"]]), undefined);
  assert.ok(sent([["cookie", "x".repeat(20_000)]]));
});

test("the claims of a socket are read from its attachment, if it has any", () => {
  let reads = 0;
  const socket = {
    deserializeAttachment: () => {
      reads++;
      return "{}";
    },
  };
  assert.deepEqual([claimsOf(socket, ["id"]), reads], ["", 0]);
  assert.deepEqual([claimsOf(socket, ["id", "claims"]), reads], ["{}", 1]);
});
