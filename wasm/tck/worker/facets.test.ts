// Calls and streams between objects in workerd, how they end, and how the platform's own would end.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Client, connect } from "./client.ts";
import { build, type Server, start } from "./server.ts";

before(build);

for (const mode of ["shared", "object"]) {
  describe(`instances: ${mode}`, () => {
    let server: Server;
    before(async () => {
      server = await start({ TRIBUTARY_INSTANCE: mode });
    });
    after(() => server.stop());

    /** Defines a test on a root of its own. */
    const tree = (name: string, run: (client: Client) => Promise<void>) =>
      test(name, async () => {
        const client = await connect(server, name.replaceAll(/\W+/g, "-"));
        await run(client);
        await client.close();
      });
    const native = async (verb: string) => (await fetch(`${server.origin}/native-${verb}/${verb}`)).text();

    tree("a facet is made when it is called, and answers", async (client) => {
      assert.equal(await client.request("call 1 Source echo hello"), "echo: hello");
      assert.equal(await client.request("call 1 Source echo "), "echo: ");
      const large = "x".repeat(3 << 20);
      assert.equal(await client.request(`call 1 Source echo ${large}`), `echo: ${large}`);
    });

    tree("a facet is named by its path", async (client) => {
      assert.equal(await client.request("call 7 Source name"), "name: a-facet-is-named-by-its-path/7");
    });

    tree("facets have facets, down to the platform's limit", async (client) => {
      const root = "facets-have-facets-down-to-the-platform-s-limit";
      assert.equal(await client.request("call 1 Source down name"), `down: ${root}/1/1`);
      assert.equal(await client.request("call 1 Source down refuse not today"), "down failed: not today");
      assert.equal(await client.request("call 1 Source down down name"), `down: ${root}/1/1/1`);
      assert.match(
        await client.request("call 1 Source down down down name"),
        /^down failed: Facet nesting depth limit exceeded\./,
      );
    });

    tree("each facet has storage of its own, which a deletion wipes for the next class", async (client) => {
      assert.equal(await client.request("call 1 Source count"), "count: count 1");
      assert.equal(await client.request("call 1 Source count"), "count: count 2");
      assert.equal(await client.request("call 2 Source count"), "count: count 1");
      assert.equal(await client.request("call 1 Spare count"), "count failed: slot 1 holds Source, not Spare");
      client.send("delete 1");
      await client.receive();
      assert.equal(await client.request("call 1 Spare count"), "count: count 1");
      assert.equal(await client.request("call 2 Source count"), "count: count 2");
    });

    tree("an object is told what it and its facets have cost, and no facet is woken for it", async (client) => {
      const costs = async () => {
        client.send("cost");
        const rows = (await client.receive()).trimEnd().split("\n");
        return rows.map((row) => row.replaceAll(/[1-9]\d*/g, (n) => (n.length > 9 ? "since" : "some")));
      };
      const helper = (slot: string) => `"${slot}" since: some statements, some read, some written, 0 down, 0 up`;
      const own = '"" since: some statements, some read, some written, some down, some up';
      await client.request("call 1 Source count");
      await client.request("call 2 Source count");
      await client.request("call 1 Source down count");
      assert.deepEqual(await costs(), [own, helper("some"), helper("some/some"), helper("some")]);
      client.send("delete 1");
      await client.receive();
      assert.deepEqual(await costs(), [own, helper("some")]);
    });

    tree("a refusal is told in its own words", async (client) => {
      assert.equal(await client.request("call 1 Source refuse not today"), "refuse failed: not today");
    });

    tree("an unknown class is refused", async (client) => {
      const want = "failed: the Worker exports no class Nobody";
      assert.equal(await client.request("call 1 Nobody echo"), `echo ${want}`);
      assert.equal(await client.request("open 1 Nobody 1 1 0"), `${want} after 0 numbers`);
      assert.equal(await client.request("call 1 Source echo hello"), "echo: hello");
    });

    tree("ten thousand chunks arrive in order", async (client) => {
      assert.equal(await client.request("open 1 Source 10000 10000 0"), "ended after 10000 numbers");
      assert.equal(await client.request("open 1 Source 10000 64 0"), "ended after 10000 numbers");
      assert.equal(await client.request("open 1 Source 1 1 0"), "ended after 1 numbers");
    });

    tree("a reader that has read enough cancels, and the writer learns of it", async (client) => {
      assert.equal(await client.request("until 1 Source 500 10000 64 0"), "cancelled after 500 numbers");
      assert.match(await client.request("call 1 Source left"), /^left: left, drained [1-9]/);
      assert.equal(await client.request("open 1 Source 100 10 0"), "ended after 100 numbers");
    });

    tree("a writer that traps breaks its stream off, and everything goes on", async (client) => {
      assert.equal(await client.request("call 1 Source count"), "count: count 1");
      // In a shared instance the reader loses its in-memory part too. It is opened again, and so learns of the loss.
      const want = mode === "shared" ? /^lost after 0 numbers$/ : /^failed: .* after 512 numbers$/;
      assert.match(await client.request("open 1 Source 10000 64 512"), want);
      assert.equal(await client.request("open 1 Source 10000 64 0"), "ended after 10000 numbers");
      assert.equal(await client.request("call 1 Source count"), "count: count 2");
    });

    tree("a call that traps fails, and so do those that wait beside it", async (client) => {
      client.send("call 1 Source hang");
      await client.receive();
      client.send("call 1 Source panic");
      await client.receive();
      if (mode === "object") {
        const failed = [await client.receive(), await client.receive()].sort();
        assert.deepEqual(failed, ["hang failed: the object did not live to answer", "panic failed: the object failed"]);
      }
      assert.equal(await client.request("call 1 Source echo hello"), "echo: hello");
    });

    test("a trap fails the calls and streams that wait for other objects of the instance", async () => {
      // The platform does not pass on the reason of a stream's failure.
      const shared = /^Error: the object did not live to answer; Error: .+/;
      assert.match(await native("beside"), mode === "shared" ? shared : /^still there$/);
    });

    tree("an object that waits goes on at once when another tree's trap takes its memory", async (client) => {
      client.send("open 1 Source 1 0 0");
      await client.receive();
      assert.equal(await client.request("call 1 Source echo here"), "echo: here");
      const trapped = await fetch(`${server.origin}/another-tree/panic`);
      assert.equal(trapped.status, 500);
      if (mode === "shared") assert.equal(await client.receive(), "lost after 0 numbers");
      assert.equal(await client.request("call 1 Source echo there"), "echo: there");
    });

    tree("what runs in a slot ends with its deletion", async (client) => {
      client.send("call 1 Source hang");
      await client.receive();
      assert.equal(await client.request("call 1 Source echo there"), "echo: there");
      client.send("open 1 Source 1 0 0");
      await client.receive();
      assert.equal(await client.request("call 1 Source echo here"), "echo: here");
      client.send("delete 1");
      const ended = [await client.receive(), await client.receive(), await client.receive()].sort();
      assert.match(ended.join("; "), /^delete; failed: .* after 0 numbers; hang failed: Facet was deleted\.$/);
      const trapped = await fetch(`${server.origin}/yet-another-tree/panic`);
      assert.equal(trapped.status, 500);
      assert.equal(await client.request("call 1 Source echo again"), "echo: again");
    });

    tree("what runs in a slot ends with its eviction, and its storage stays", async (client) => {
      assert.equal(await client.request("call 1 Source count"), "count: count 1");
      assert.equal(await client.request("call 1 Source down count"), "down: count 1");
      client.send("call 1 Source hang");
      await client.receive();
      client.send("open 1 Source 1 0 0");
      await client.receive();
      assert.equal(await client.request("call 1 Source echo here"), "echo: here");
      client.send("evict 1");
      const ended = [await client.receive(), await client.receive(), await client.receive()].sort();
      assert.match(ended.join("; "), /^evict; failed: .* after 0 numbers; hang failed: The facet was evicted\.$/);
      assert.equal(await client.request("call 1 Source count"), "count: count 2");
      assert.equal(await client.request("call 1 Source down count"), "down: count 2");
      client.send("evict 2");
      assert.equal(await client.receive(), "evict");
      assert.equal(await client.request("call 2 Source count"), "count: count 1");
    });

    tree("what is asked of a slot that is wiped at once does not make it anew", async (client) => {
      assert.equal(await client.request("call 1 Source count"), "count: count 1");
      client.send("lose 1 Source count");
      const ended = [await client.receive(), await client.receive(), await client.receive()].sort();
      assert.match(ended.join("; "), /^call failed: Facet was deleted\.; failed: .* after 0 numbers; lose$/);
      assert.equal(await client.request("call 1 Spare count"), "count: count 1");
    });

    tree("a facet has no alarm", async (client) => {
      assert.equal(await client.request("call 1 Source alarm"), "alarm: alarm");
      assert.equal(await client.request("call 1 Source count"), "count: count 1");
      const path = "a-facet-has-no-alarm/1";
      await server.logged(`"name":"${path}","message":"SetAlarm failed","error":"Error: a facet has no alarm"`);
    });

    test("a slow reader holds its writer back", async () => {
      const { most, left } = JSON.parse(await native("slow"));
      assert.ok(most > 0 && most <= 200, `the writer was ${most} numbers ahead of its reader, in batches of 100`);
      assert.match(left, /^left, drained (29|30|31)$/);
    });

    test("call and open are all that can be reached", async () => {
      assert.equal(await native("surface"), "call,open");
    });

    // Why only bytes cross (I1): the platform's own ways, in the same Worker, between the same two objects.
    test("a stream of objects breaks on its way, and a stream of bytes arrives", async () => {
      assert.match(await native("objects"), /ReadableStream received over RPC disconnected prematurely\./);
      assert.equal(await native("bytes"), "hello 000000\n000001\n000002\n");
    });

    for (const thing of ["body", "socket"]) {
      test(`a native ${thing} cannot be touched from another object`, async () => {
        assert.match(await native(thing), /Cannot perform I\/O on behalf of a different Durable Object\./);
        assert.equal(await native("bytes"), "hello 000000\n000001\n000002\n");
      });
    }
  });
}
