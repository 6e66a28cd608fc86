import { expect, test } from "vitest";
import { afterEvent, type Build, linesOf, unknown } from "./build";

const after = (...events: unknown[]) => events.map((event) => JSON.stringify(event)).reduce(afterEvent, unknown);
const failed = { state: "failed", error: "main.go:1: no" };

test.each<[string, Build, unknown[]]>([
  ["a build is under way", { ...unknown, building: true }, [{ state: "building" }]],
  ["a build ends", unknown, [{ state: "building" }, { state: "ok" }]],
  ["a failed build shows its error", { ...unknown, error: "main.go:1: no" }, [{ state: "building" }, failed]],
  ["a failed build without a text", { ...unknown, error: "" }, [{ state: "failed" }]],
  [
    "an error stays while it builds",
    { ...unknown, error: "main.go:1: no", building: true },
    [failed, { state: "building" }],
  ],
  ["an error goes when it builds again", unknown, [failed, { state: "building" }, { state: "ok", error: "" }]],
  ["other events change nothing", { ...unknown, error: "main.go:1: no" }, [failed, { state: "resting" }, null, 1]],
])("%s", (_, build, events) => {
  expect(after(...events)).toEqual(build);
});

test("what is no JSON changes nothing", () => {
  expect(afterEvent(unknown, "{")).toEqual(unknown);
});

test("a folded error stays folded when the next build fails, until one succeeds", () => {
  const folded = { ...after(failed), folded: true };
  const again = afterEvent(folded, JSON.stringify({ state: "failed", error: "other" }));
  expect(again).toEqual({ building: false, error: "other", folded: true });
  expect(afterEvent(again, '{"state":"ok"}')).toEqual(unknown);
});

test("the lines of an error begin with their places", () => {
  expect(linesOf("# shop/agents\nagents/shop.go:12:5: undefined: foo\n\tmain.go:3: bar\nno place: 12:5\n")).toEqual([
    { place: "", text: "# shop/agents" },
    { place: "agents/shop.go:12:5", text: ": undefined: foo" },
    { place: "\tmain.go:3", text: ": bar" },
    { place: "", text: "no place: 12:5" },
  ]);
});
