// The identity of roots and facets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { identity } from "./facets.ts";

const root = (name?: string) => ({ id: { name, toString: () => "0a1b" } });
const cases: { title: string; state: { id: unknown }; want: ReturnType<typeof identity> }[] = [
  { title: "a root", state: root("room"), want: { tree: "0a1b", name: "room", facet: false } },
  { title: "a root whose name has a slash", state: root("a/b"), want: { tree: "0a1b", name: "a/b", facet: false } },
  { title: "a root without a name", state: root(), want: { tree: "0a1b", name: "", facet: false } },
  { title: "a facet", state: { id: "0a1b/room/1" }, want: { tree: "0a1b", name: "room/1", facet: true } },
  { title: "a facet's facet", state: { id: "0a1b/a/b/1/2" }, want: { tree: "0a1b", name: "a/b/1/2", facet: true } },
];
for (const { title, state, want } of cases) test(title, () => assert.deepEqual(identity(state), want));
