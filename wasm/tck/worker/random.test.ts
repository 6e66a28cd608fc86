// What two isolates draw that were started with the same seeds: nothing twice that must not be guessed. index.ts gives them
// the seeds, and ../../shim/prepare.test.ts shows what else comes from them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { build, type Server, start } from "./server.ts";

const servers: Server[] = [];

before(async () => {
  build();
  for (let n = 0; n < 2; n++) servers.push(await start({}));
});
after(() => Promise.all(servers.map((server) => server.stop())));

const started = '{"level":"info","message":"instance started"}';

test("the module is started before the first request, and that instance has the objects", async () => {
  const [server] = servers;
  assert.equal(await (await fetch(`${server?.origin}/first/count`)).text(), "count 1 steps 2");
  await server?.logged(started);
  assert.equal(server?.log().split(started).length, 2);
});

test("two isolates draw different ids and secrets, and so do two objects", async () => {
  const drawn: string[] = [];
  for (const { origin } of servers) {
    for (const name of ["a", "b"]) {
      const [word, id, secret] = (await (await fetch(`${origin}/${name}/draw`)).text()).split(" ");
      assert.equal(word, "draw");
      drawn.push(id as string, secret as string);
    }
  }
  assert.ok(drawn.every((text) => text.length >= 16));
  assert.equal(new Set(drawn).size, 8);
});
