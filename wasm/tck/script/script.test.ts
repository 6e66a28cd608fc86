// The scripts of ../../quickjs in workerd, whose results are those of the host in Go, and what becomes of scripts when the
// module traps.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { buildModule, type Server, start } from "../worker/server.ts";
import { forge, forged, reports, scenario, scenarios } from "./scenario.ts";

let server: Server;

before(async () => {
  buildModule("script");
  server = await start({}, import.meta.dirname);
});

after(() => server?.stop());

const post = (path: string, body?: Uint8Array) => fetch(server.origin + path, { method: "POST", body: body ?? null });

/** Has an object run a request of the port. */
async function run(object: string, request: Uint8Array): Promise<Uint8Array> {
  const response = await post(`/${object}/`, request);
  assert.equal(response.status, 200);
  return new Uint8Array(await response.arrayBuffer());
}

describe("scripts have the results that they have in Go", () => {
  for (const { name, text } of scenarios()) {
    test(name, async () => {
      assert.equal(await scenario(text, (request) => run(name, request)), text);
      assert.equal((await post(`/${name}/panic`)).status, 500); // with its instance, its boxes end
    });
  }
});

test("reports of strangers have the outcomes that they have in Go, and none traps", async () => {
  const some = forged().filter((_, i) => i % 8 === 0); // Node runs all of them, with the same code
  for (const each of [...reports(), ...some])
    assert.deepEqual(await forge(each, (request) => run("stranger", request)), each.want, each.name);
});

test("scripts end with the instance of the module, and run in the next one", async () => {
  const result = async (request: string) => {
    const said = await scenario(`${request}< a result\n`, (bytes) => run("trapping", bytes));
    return said
      .split("\n")
      .find((line) => line.startsWith("< "))
      ?.split(" ")[1];
  };
  const open = "> open 7\n  return await tools.add()\n";
  const answer = "> answer 7 1 ok\n  1\n";
  assert.equal(await result(open), "waits");
  assert.equal((await post("/trapping/panic")).status, 500);
  assert.equal(await result(answer), "gone");
  assert.equal(await result(open), "waits");
  assert.equal(await result(answer), "done");
});
