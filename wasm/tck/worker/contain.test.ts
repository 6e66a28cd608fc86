// The assignment of objects to instances, in workerd: an object that traps repeatedly is moved out and comes back, and a memory
// that has grown is replaced while objects are busy.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect } from "./client.ts";
import { build, type Server, start } from "./server.ts";

const minute = 60_000;
let server: Server;

before(build);
before(async () => {
  server = await start({});
});
after(() => server.stop());

async function ask(path: string): Promise<string> {
  const answer = await fetch(`${server.origin}/${path}`);
  return answer.ok ? answer.text() : `status ${answer.status}`;
}

/** The number of events of the object's in-memory part including Opened: two in a new one. */
async function steps(name: string): Promise<number> {
  return Number((await ask(`${name}/count`)).split(" ")[3]);
}

test("an object that traps again is moved to an instance of its own, and back when it has recovered", async () => {
  assert.equal(await steps("calm"), 2);
  for (let i = 0; i < 2; i++) {
    assert.equal(await ask("bad/panic"), "status 500");
    assert.equal(await steps("calm"), 2, "it has lost its memory");
  }
  for (let i = 0; i < 3; i++) {
    assert.equal(await ask("bad/panic"), "status 500");
    assert.equal(await steps("calm"), 3 + i, "it has kept its memory");
    assert.equal(await steps("bad"), 2);
  }
  await ask(`pass/${9 * minute}`);
  assert.equal(await steps("bad"), 3);
  await ask(`pass/${minute}`);
  assert.equal(await steps("bad"), 2, "it was opened anew");
  assert.equal(await steps("calm"), 6);
  assert.equal(await ask("bad/panic"), "status 500");
  assert.equal(await steps("calm"), 2, "they live together again");
});

test("a root and its facets are counted together, and move together", async () => {
  await ask(`pass/${10 * minute}`);
  const client = await connect(server, "root");
  assert.equal(await steps("calm"), 3);
  // A facet traps while it writes. Its root loses its memory too, and reports that when it is opened again.
  for (const slot of [1, 2]) assert.equal(await client.request(`open ${slot} Source 10 1 5`), "lost after 0 numbers");
  assert.equal(await steps("calm"), 2);
  assert.equal(await client.request("open 3 Source 10 1 5"), "lost after 0 numbers");
  assert.equal(await client.request("call 1 Source echo hello"), "echo: hello");
  assert.equal(await steps("calm"), 3, "it has kept its memory");
  await client.close();
});

test("idle objects leave a memory that has grown, and an object with an active stream leaves it after a minute", async () => {
  await ask(`pass/${10 * minute}`);
  const client = await connect(server, "reading");
  for (const order of ["busy 1", "open 1 Source 1 0 0"]) {
    client.send(order); // busy, so that the module does not drop it to make room for the memory that is held below
    await client.receive();
  }
  assert.equal(await client.request("call 1 Source echo here"), "echo: here");
  const before = await steps("resting");
  assert.equal(await ask("growing/hold/50000000"), "holding 50000000");
  assert.deepEqual([before, await steps("resting")], [2, 2], "it was opened anew");
  await ask(`pass/${minute / 2}`);
  assert.equal(await client.request("call 1 Source echo still here"), "echo: still here");
  await ask(`pass/${minute / 2}`);
  assert.equal(await steps("resting"), 3); // any object's event does it
  assert.equal(await client.receive(), "lost after 0 numbers");
  assert.equal(await client.request("call 1 Source echo there"), "echo: there");
  await client.close();
});
