// @vitest-environment jsdom
import { expect, test } from "vitest";
import type { MessagePart } from "./part";
import { askedOf, fill, questionOf } from "./question";

const asked = (input: object, state = "input-available"): MessagePart =>
  ({ type: "tool-ask", toolCallId: "q1", state, input, approval: { id: "q1" } }) as unknown as MessagePart;

const address = {
  title: "Where to?",
  schema: {
    type: "object",
    properties: {
      city: { type: "string", description: "the city" },
      floor: { type: "integer" },
      lift: { type: "boolean" },
      tags: { type: "array" },
      size: { type: "string", enum: ["small", "large"] },
    },
    required: ["city", "size"],
  },
  default: { floor: 3 },
};

function formOf(input: object) {
  const form = questionOf(asked(input))?.form;
  if (!form) throw new Error("there is no form");
  return form;
}

test("a question by yes or no has no form", () => {
  const question = questionOf(asked({ title: "Publish?", text: "Three sections" }, "approval-requested"));
  expect(question).toEqual({ id: "q1", title: "Publish?", text: "Three sections", link: "", form: undefined });
});

test("an answered question, and a call of another tool, are no question", () => {
  expect(questionOf(asked({ title: "Publish?" }, "output-available"))).toBeUndefined();
  expect(questionOf({ type: "tool-pay", toolCallId: "c", state: "input-available", input: {} })).toBeUndefined();
});

test("a question says in a few words what was asked, also behind its answer", () => {
  expect(askedOf(asked({ title: "Who?", text: "It is late." }, "output-available"))).toBe("Who?");
  expect(askedOf(asked({ text: "It is late." }))).toBe("It is late.");
  expect(askedOf({ type: "tool-pay", toolCallId: "c", state: "input-available", input: { title: "x" } })).toBe("");
});

test("a form has a field for each property, with its label and its first value", () => {
  expect(
    formOf(address).fields.map(({ name, label, kind, required, value }) => [name, label, kind, required, value]),
  ).toEqual([
    ["city", "the city", "text", true, ""],
    ["floor", "floor", "integer", false, "3"],
    ["lift", "lift", "flag", false, ""],
    ["tags", "tags", "json", false, ""],
    ["size", "size", "choice", true, ""],
  ]);
});

test("choices make a choice of the only field", () => {
  const [field] = formOf({ title: "Size?", schema: { type: "string" }, choices: ["small", "large"] }).fields;
  expect(field).toMatchObject({ name: "", kind: "choice", required: true });
  expect(field?.choices).toEqual([
    { value: "small", label: "small" },
    { value: "large", label: "large" },
  ]);
});

test("a server's form has titles, first values, and choices of one and of several, by their titles", () => {
  const schema = {
    type: "object",
    properties: {
      day: { type: "string", title: "Day", oneOf: [{ const: "mo", title: "Monday" }, { const: "fr" }] },
      size: { type: "string", enum: ["s", "l"], enumNames: ["Small"], default: "l" },
      days: { type: "array", items: { anyOf: [{ const: "mo", title: "Monday" }] }, default: ["mo"] },
      colors: { type: "array", items: { type: "string", enum: ["red", "blue"] } },
    },
    required: ["day"],
  };
  const form = formOf({ title: "The server demo asks", schema });
  expect(form.fields.map(({ label, kind, value }) => [label, kind, value])).toEqual([
    ["Day", "choice", ""],
    ["size", "choice", "l"],
    ["days", "choices", '["mo"]'],
    ["colors", "choices", ""],
  ]);
  expect(form.fields.map(({ choices }) => choices.map(({ label }) => label))).toEqual([
    ["Monday", "fr"],
    ["Small", "l"],
    ["Monday"],
    ["red", "blue"],
  ]);
  expect(fill(form, { day: "mo", size: "l", days: '["mo"]' })).toEqual({
    answer: { day: "mo", size: "l", days: ["mo"] },
  });
});

test("a question shows the page that it is about, if that is one of the web", () => {
  const linked = (url: unknown) => questionOf(asked({ title: "Sign?", url }, "approval-requested"))?.link;
  expect(linked("https://example.com/sign?a=b")).toBe("https://example.com/sign?a=b");
  expect(linked("javascript:alert(1)")).toBe("");
  expect(linked(undefined)).toBe("");
});

test.each([
  [{ city: "Graz", size: "small" }, { answer: { city: "Graz", lift: false, size: "small" } }],
  [
    { city: "Graz", size: "large", floor: "2", lift: "true", tags: '["a"]' },
    { answer: { city: "Graz", floor: 2, lift: true, tags: ["a"], size: "large" } },
  ],
  [{ city: "Graz" }, { field: "size", problem: "An answer is needed here" }],
  [
    { city: "Graz", size: "huge" },
    { field: "size", problem: "One of these has to be chosen" },
  ],
  [
    { city: "Graz", size: "small", floor: "2.5" },
    { field: "floor", problem: "A whole number is needed here" },
  ],
  [
    { city: "Graz", size: "small", tags: "[" },
    { field: "tags", problem: "A value in JSON is needed here" },
  ],
])("%j gives %j", (entered, want) => {
  expect(fill(formOf(address), entered)).toEqual(want);
});

test("the only value is the answer itself", () => {
  expect(fill(formOf({ title: "How many?", schema: { type: "number" } }), { "": "1.5" })).toEqual({ answer: 1.5 });
});
