// The names and values in ../../internal/project/testdata/secrets.json. The tool of a project checks names by the same table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { variables } from "./settings.ts";

const file = join(import.meta.dirname, "../../internal/project/testdata/secrets.json");
const table = JSON.parse(readFileSync(file, "utf8")) as { name: string; value?: string; secret?: boolean }[];

test("the value of a secret is not among the variables that an object is given", () => {
  for (const { name, value = "a value", secret = false } of table) {
    const want = secret ? { vars: {}, secrets: [name] } : { vars: { [name]: value }, secrets: [] };
    assert.deepEqual(variables({ [name]: value }), want, `${name}=${value}`);
  }
});

test("what is no text is no variable", () => {
  assert.deepEqual(variables({ A: 1, B: null, C: { D_KEY: "x" }, E_KEY: {}, F: "f" }), {
    vars: { F: "f" },
    secrets: [],
  });
});
