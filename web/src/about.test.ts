import { expect, test } from "vitest";
import { parseAbout, rootOf } from "./about";

const assistant = {
  agent: "assistant",
  class: "Assistant",
  title: "Tributary",
  description: "It helps.",
  suggestions: ["Hi"],
  methods: ["runs", 1],
  exposed: true,
};
const shop = { agent: "shop", class: "Shop", title: "The shop", description: "", suggestions: [] };
const answer = { version: "0.2.0", roots: [assistant, shop], features: [] };

test("the first root needs no agent in the address, others do", () => {
  expect(parseAbout(answer)).toEqual({
    roots: [
      {
        agent: "assistant",
        key: "",
        title: "Tributary",
        description: "It helps.",
        suggestions: ["Hi"],
        methods: ["runs"],
        exposed: true,
      },
      { agent: "shop", key: "shop", title: "The shop", description: "", suggestions: [], methods: [], exposed: false },
    ],
    dev: undefined,
  });
});

test("a root needs an agent and a title only", () => {
  const roots = [null, { title: "x" }, { agent: "", title: "x" }, { agent: "a", title: "A", suggestions: [1, "Hi"] }];
  expect(parseAbout({ roots }).roots).toEqual([
    { agent: "a", key: "", title: "A", description: "", suggestions: ["Hi"], methods: [], exposed: false },
  ]);
});

test.each([
  ["", "assistant"],
  ["assistant", "assistant"],
  ["shop", "shop"],
  ["gone", undefined],
])("the address's agent %j is %j", (agent, found) => {
  expect(rootOf(parseAbout(answer), agent)?.agent).toBe(found);
});

test.each([
  ["http://127.0.0.1:4001", "http://127.0.0.1:4001"],
  ["http://127.0.0.1:4001/events", "http://127.0.0.1:4001/events"],
  ["http://127.0.0.1:4001.evil.example", undefined],
  ["http://127.0.0.1:4001@evil.example", undefined],
  ["https://evil.example", undefined],
  [1, undefined],
])("build events of %j are read from %j", (dev, address) => {
  expect(parseAbout({ ...answer, dev }).dev).toBe(address);
});

test.each([undefined, null, "", {}, { roots: {} }])("%j is another kind of answer", (other) => {
  expect(() => parseAbout(other)).toThrow("another kind");
});

test("a server without agents says so", () => {
  expect(() => parseAbout({ roots: [] })).toThrow("no agent");
});
