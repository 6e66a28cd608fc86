import { expect, test } from "vitest";
import { parseEntries, titled, without } from "./conversations";

const entry = (name: string) => ({ name, title: `about ${name}`, at: 1 });

test("a conversation with a new message moves to the top", () => {
  const list = titled([entry("a"), entry("b")], entry("b"));
  expect(list.map(({ name }) => name)).toEqual(["b", "a"]);
});

test("a title is one line, shortened", () => {
  expect(titled([], { ...entry("a"), title: ` two\n lines ${"x".repeat(100)}` })[0]?.title).toMatch(
    /^two lines x{70}$/,
  );
});

test("the oldest entries leave a full list", () => {
  const full = Array.from({ length: 100 }, (_, n) => entry(`n${n}`));
  const list = titled(full, entry("new"));
  expect([list.length, list.at(-1)?.name]).toEqual([100, "n98"]);
});

test("a conversation can leave the list", () => {
  expect(without([entry("a"), entry("b")], entry("a"))).toEqual([entry("b")]);
});

test("conversations of one name with two agents are two", () => {
  const shop = { ...entry("a"), agent: "shop" };
  expect(titled([entry("a"), entry("b")], shop)).toEqual([shop, entry("a"), entry("b")]);
  expect(without([shop, entry("a")], entry("a"))).toEqual([shop]);
});

test("a stored list holds agents, and none in entries from before there were several", () => {
  const list = [{ ...entry("a"), agent: "shop" }, entry("b")];
  expect(parseEntries(JSON.stringify([...list, { ...entry("c"), agent: 1 }]))).toEqual(list);
});

test("a stored list is read unchanged", () => {
  expect(parseEntries(JSON.stringify([entry("a")]))).toEqual([entry("a")]);
});

test.each([null, "", "{", "{}", '[1,null,{"name":1}]'])("%j holds no entries", (text) => {
  expect(parseEntries(text)).toEqual([]);
});
