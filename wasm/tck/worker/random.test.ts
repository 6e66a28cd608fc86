// What two isolates draw that were started the same way: nothing twice.
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
  assert.ok(server?.log().includes(started));
  assert.equal(await (await fetch(`${server?.origin}/first/count`)).text(), "count 1 steps 2");
  assert.equal(server?.log().split(started).length, 2);
});

test("two isolates draw different ids, secrets and numbers, and so do two objects", async () => {
  const draws: string[] = [];
  for (const { origin } of servers) {
    for (const name of ["a", "b"]) draws.push(await (await fetch(`${origin}/${name}/draw`)).text());
  }
  const drawn = draws.map((draw) => draw.split(" "));
  assert.ok(drawn.every(([word, ...values]) => word === "draw" && values.length === 3));
  assert.equal(new Set(drawn.flatMap(([, ...values]) => values)).size, 12);
});
