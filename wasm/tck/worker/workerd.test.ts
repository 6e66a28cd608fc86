// The host in workerd: what a boundary must carry, and that nothing survives a trap which should not.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createConnection, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { build, type Server, start } from "./server.ts";

before(build);

const traps = ["panic", "nil", "exit", "deadlock", "sleep", "sql", "stack", "oom"];

for (const mode of ["shared", "object"]) {
  describe(`instances: ${mode}`, () => {
    let server: Server;
    before(async () => {
      server = await start({ TRIBUTARY_INSTANCE: mode });
    });
    after(() => server.stop());

    const ask = async (path: string) => {
      const answer = await fetch(`${server.origin}/${path}`);
      return answer.ok ? answer.text() : `status ${answer.status}`;
    };

    for (const trap of traps) {
      test(`${trap} rolls back, and the next event goes on in a new instance`, async () => {
        const [a, b] = [`a-${trap}`, `b-${trap}`];
        assert.equal(await ask(`${a}/count`), "count 1 steps 2");
        assert.equal(await ask(`${b}/count`), "count 1 steps 2");
        assert.equal(await ask(`${a}/${trap}`), "status 500");
        assert.equal(await ask(`${a}/count`), "count 2 steps 2");
        assert.equal(await ask(`${a}/lost`), `lost "${trap === "oom" ? "memory" : "trap"}"`);
        // The other object has lost nothing; its in-memory part went with the instance only where that was shared.
        assert.equal(await ask(`${b}/count`), mode === "shared" ? "count 2 steps 2" : "count 2 steps 3");
      });
    }

    test("a commit that fails costs only the object's own memory", async () => {
      assert.equal(await ask("orphan/count"), "count 1 steps 2");
      assert.equal(await ask("beside/count"), "count 1 steps 2");
      assert.equal(await ask("orphan/orphan"), "status 500");
      assert.equal(await ask("orphan/count"), "count 2 steps 2");
      assert.equal(await ask("beside/count"), "count 2 steps 3");
    });

    test("an object leaves a memory that has grown when it becomes idle", async () => {
      await ask("grown/busy/1");
      assert.equal(await ask("grown/hold/50000000"), "holding 50000000");
      assert.equal(await ask("grown/count"), "count 1 steps 4");
      assert.equal(await ask("grown/busy/0"), "busy false");
      assert.equal(await ask("grown/count"), "count 2 steps 2");
    });

    test("a body that is too large is refused", async () => {
      const post = (size: number) => fetch(`${server.origin}/body/count`, { method: "POST", body: "x".repeat(size) });
      assert.equal((await post(1 << 20)).status, 200);
      // Often: a sender that is still writing when it is answered does not always see the answer.
      for (let i = 0; i < 30; i++) assert.equal((await post((1 << 20) + 1)).status, 413);
    });

    test("a socket is opened, received from, answered and closed", async () => {
      const socket = await connect(server, "sock");
      assert.equal(await say(socket, "count"), "count 1 steps 3");
      assert.equal(await say(socket, "values"), values);
      assert.equal(await say(socket, "big 300000"), "big 300000 300000");
      assert.equal(await say(socket, "ping"), "pong");
      socket.close(4002, "done");
      const [event] = (await once(socket, "close")) as [CloseEvent];
      assert.deepEqual([event.code, event.reason, event.wasClean], [4002, "done", true]);
      const seen = await ask("sock/seen");
      assert.match(seen, /SocketOpened .*URL:\/\?x=%20y/);
      assert.match(seen, /SocketClosed .*Code:4002 Reason:done/);
    });

    test("a socket whose message trapped is closed, so that its client comes back", async () => {
      const socket = await connect(server, "brave");
      assert.equal(await say(socket, "count"), "count 1 steps 3");
      socket.send("panic");
      const [event] = (await once(socket, "close")) as [CloseEvent];
      assert.deepEqual([event.code, event.reason], [1011, "the object failed"]);
      const again = await connect(server, "brave");
      assert.match(await say(again, "count"), /^count 2 /);
      again.close();
    });

    test("a message of a megabyte and one of bytes arrive", async () => {
      const socket = await connect(server, "large");
      const text = "é".repeat(700_000);
      assert.equal(await say(socket, `echo ${text}`), text);
      socket.send(new Uint8Array([1, 2, 3]));
      await say(socket, "count");
      assert.match(await ask("large/seen"), /Binary:true Data:\[1 2 3\]/);
      socket.close();
    });

    test("a socket that does not take what it is sent is closed, and the object is told", async () => {
      const socket = await slow(server, "slow");
      const watching = await connect(server, "slow");
      // What the connection itself holds back is not known.
      for (let orders = 1; !(await ask("slow/seen")).includes("SocketClosed"); orders++) {
        assert.ok(orders < 100, "it is not closed");
        socket.write(masked(`echo ${"x".repeat(1_000_000)}`));
        await say(watching, "count");
      }
      assert.match(await ask("slow/seen"), /SocketClosed .*Code:1008 Reason:the client does not take what it is sent/);
      let last = Buffer.alloc(0); // a client that reads again finds the close frame behind what it was sent
      for await (const data of socket) {
        last = Buffer.concat([last, data as Buffer]).subarray(-1_000);
        if (last.includes("the client does not take what it is sent")) break;
      }
      assert.match(await ask("slow/count"), /^count \d+ /);
      watching.close();
    });

    test("a message that is too large is refused before the module sees it", async () => {
      const socket = await connect(server, "huge");
      socket.send("x".repeat((5 << 20) + 1));
      const [event] = (await once(socket, "close")) as [CloseEvent];
      assert.equal(event.code, 1009);
    });

    test("the object closes a socket", async () => {
      const socket = await connect(server, "closing");
      socket.send("close");
      const [event] = (await once(socket, "close")) as [CloseEvent];
      assert.deepEqual([event.code, event.reason], [4001, "asked to"]);
    });

    test("a socket that is refused is closed at once", async () => {
      const waiting = await connect(server, "door");
      assert.equal(await say(waiting, "timer 5000"), "timer");
      const refused = new WebSocket(`${server.origin.replace("http", "ws")}/door/refused`);
      const closed = once(refused, "close").then(([event]) => `${event.code} ${event.reason}`);
      assert.equal(await Promise.race([closed, heard(waiting)]), "4404 not here");
      assert.match(await say(waiting, "count"), /^count 1 /);
      waiting.close();
    });

    test("a response that is begun arrives piece by piece, through a Worker that copies it", async () => {
      const response = await fetch(`${server.origin}/pages/numbers/1000/3/0`);
      assert.deepEqual([response.status, response.headers.get("content-type")], [200, "text/plain"]);
      const lines = (await response.text()).split("\n");
      assert.deepEqual([lines.length, lines[0], lines[999]], [1001, "000000", "000999"]);
      const silent = await fetch(`${server.origin}/pages/silent`); // its head comes before anything of its body
      assert.equal(silent.status, 200);
      await silent.body?.cancel();
    });

    test("the object is told that a client has left, whether it was sent something or not", async () => {
      const watching = await connect(server, "left");
      for (const [order, emitted] of [
        ["numbers/100000000/1000/0", true],
        ["numbers/100/3/0/", undefined],
      ] as const) {
        const controller = new AbortController();
        const response = await fetch(`${server.origin}/left/${order}`, { signal: controller.signal });
        if (emitted === undefined) {
          assert.equal((await response.text()).length, 700);
          continue;
        }
        const told = heard(watching);
        await response.body?.getReader().read();
        controller.abort();
        assert.equal(await told, `left, emitted some: ${emitted}`);
      }
      watching.close();
    });

    test("what follows a first answer is passed over, and a response without a body has no reader", async () => {
      const got = async (path: string) => {
        const response = await fetch(`${server.origin}/twice/${path}`);
        return `${response.status} ${await response.text()}`;
      };
      assert.equal(await got("twice"), "201 once");
      assert.equal(await got("answered"), "200 answered");
      assert.equal(await got("status/202"), "202 body");
      assert.equal(await got("status/204"), "204 ");
      assert.equal(await got("status/42"), "500 ");
      assert.equal(await got("count"), "200 count 1 steps 7");
    });

    test("a response breaks off when its object traps, in it or in another event", async () => {
      const response = await fetch(`${server.origin}/broken/numbers/1000000/100/500000`);
      assert.equal(response.status, 200);
      await assert.rejects(response.text());
      const silent = await fetch(`${server.origin}/broken/silent`);
      assert.equal(await ask("broken/panic"), "status 500");
      await assert.rejects(silent.text());
      assert.equal(await ask("broken/count"), "count 1 steps 2");
    });

    test("an object is told the headers of the list and the claims, with the socket and each message", async () => {
      const claims = '{"sub":"ada","scopes":["pay"],"exp":1}';
      const headers = { authorization: "Bearer t", cookie: "a=b", "mcp-name": "x", "tributary-claims": claims };
      const got = await (await fetch(`${server.origin}/sender/sender`, { headers })).text();
      assert.match(got, /^map\[accept:\*\/\* host:[\d.:]+ mcp-name:x\] /);
      assert.ok(got.endsWith(claims));
      const own = new WebSocket(`${server.origin.replace("http", "ws")}/sender`, { headers } as unknown as string[]);
      await once(own, "open");
      const other = await connect(server, "sender");
      assert.equal(await say(own, "claims"), `claims ${claims}`);
      assert.equal(await say(other, "claims"), "claims ");
      assert.match(await ask("sender/seen"), /SocketOpened .*mcp-name:x.* Claims:{"sub":"ada"/);
      own.close();
      other.close();
    });

    test("headers that are too large are refused before the module sees them", async () => {
      const headers = { "mcp-param-x": "x".repeat(9000) };
      const response = await fetch(`${server.origin}/headers/count`, { method: "POST", body: "body", headers });
      assert.equal(`${response.status} ${await response.text()}`, "431 Request header fields too large");
      const socket = new WebSocket(`${server.origin.replace("http", "ws")}/headers`, {
        headers,
      } as unknown as string[]);
      const [event] = (await once(socket, "close")) as [CloseEvent];
      assert.deepEqual([event.code, event.reason], [4431, "Request header fields too large"]);
      assert.equal(await ask("headers/count"), "count 1 steps 2");
    });

    test("a signal by the object's method is a request to its run", async () => {
      const send = async (...given: unknown[]) =>
        (await fetch(`${server.origin}/signals/x?signal=${encodeURIComponent(JSON.stringify(given))}`)).json();
      const answered = (await send("r 1", "paid/ü", { amount: 3 }, "id-1")) as { status: number; body: string };
      assert.equal(answered.status, 200);
      assert.equal(
        answered.body,
        'POST /agents/root/signals/runs/r%201/signals/paid%2F%C3%BC {"amount":3} ' +
          "map[content-type:application/json idempotency-key:id-1] ",
      );
      assert.match(String(await send("trap", "x", null, "")), /the signal was answered with 500/);
    });

    test("timers and the alarm go off", async () => {
      const socket = await connect(server, "timed");
      assert.equal(await say(socket, "timer 0"), "timer");
      assert.deepEqual(await once(socket, "message").then(([event]) => event.data), "durable.TimerFired {Timer:probe}");
      assert.equal(await say(socket, "alarm 1"), "alarm");
      assert.deepEqual(await once(socket, "message").then(([event]) => event.data), "durable.AlarmFired {}");
      socket.close();
    });

    // What sets the alarm, and why its first try is lost.
    const failing = [
      { name: "trapped", order: "failalarm panic", why: "asked to" },
      { name: "uncommitted", order: "alarm 1", why: "no room today" },
    ];
    for (const { name, order, why } of failing) {
      test(`an alarm that was lost is tried again by the platform: ${name}`, { timeout: 60_000 }, async () => {
        const socket = await connect(server, name);
        assert.equal(await say(socket, order), order.split(" ")[0]);
        assert.equal(await heard(socket), "durable.AlarmFired {}");
        await server.logged(why);
        assert.equal(await say(socket, "count"), "count 1 steps 3"); // Opened, the second try, and this
        assert.equal((await ask(`${name}/seen`)).match(/AlarmFired/g)?.length, 1);
        socket.close();
      });
    }

    test("an alarm that cannot be set is logged, and nothing else fails", async () => {
      const socket = await connect(server, "without-alarm");
      for (const [order, at] of [
        ["alarm 1000", "later"],
        [`alarm -${Date.now() + 1e6}`, "before there was time"],
      ] as const) {
        assert.equal(await say(socket, order), "alarm", at);
      }
      assert.equal(await say(socket, "count"), "count 1 steps 5");
      const said = (message: string) => `"name":"without-alarm","message":"${message}"`;
      await server.logged(`${said("setting the alarm failed")},"error":"Error: no alarm today"`);
      socket.close();
    });

    test("a fetch sends its secret, does not follow a redirect, and reports its end", async () => {
      const asked: string[] = [];
      const origin = createServer((request, response) => {
        asked.push(`${request.url} ${request.headers.authorization}`);
        if (request.url === "/away") response.writeHead(302, { location: "/there" }).end();
        else response.writeHead(200, { "X-Answer": "yes" }).end("body");
      }).listen(0, "127.0.0.1");
      await once(origin, "listening");
      const { port } = origin.address() as { port: number };
      const socket = await connect(server, "fetching");
      assert.equal(await say(socket, `fetch http://127.0.0.1:${port}/there`), "fetch");
      assert.match(await heard(socket), /FetchResponded .*Status:200 .*x-answer:yes/);
      assert.match(await heard(socket), /FetchChunk .*Data:\[98 111 100 121\]/);
      assert.match(await heard(socket), /FetchEnded/);
      assert.equal(await say(socket, `fetch http://127.0.0.1:${port}/away`), "fetch");
      assert.match(await heard(socket), /FetchResponded .*Status:302 .*location:\/there/);
      assert.match(await heard(socket), /FetchEnded/);
      assert.equal(await say(socket, "fetch http://127.0.0.1:1/"), "fetch");
      assert.match(await heard(socket), /FetchFailed .*Unsent:false/);
      assert.equal(await say(socket, "fetch no URL"), "fetch");
      assert.match(await heard(socket), /FetchFailed .*Unsent:true/);
      assert.deepEqual(asked, ["/there Bearer hidden", "/away Bearer hidden"]);
      socket.close();
      origin.close();
    });

    test("a binding runs its fetch, and a fetch of a missing binding is not sent", async () => {
      const socket = await connect(server, "inferring");
      assert.equal(await say(socket, "infer AI"), "infer");
      assert.match(await heard(socket), /FetchResponded .*Status:203 .*x-answer:yes/);
      const said = JSON.stringify({ model: "@cf/probe", input: { prompt: "é", stream: true }, raw: true });
      assert.ok((await heard(socket)).includes(`Data:[${new TextEncoder().encode(said).join(" ")}]`));
      assert.match(await heard(socket), /FetchEnded/);
      for (const missing of ["NOTHING", "PLAIN"]) {
        assert.equal(await say(socket, `infer ${missing}`), "infer");
        assert.match(await heard(socket), new RegExp(`FetchFailed .*there is no binding ${missing} Unsent:true`));
      }
      socket.close();
    });

    test("an object is told its name, its variables, and only the names of its secrets", async () => {
      const vars = `map[PLAIN:told TRIBUTARY_INSTANCE:${mode}]`;
      await server.logged(`"name":"sock","message":"opened","conns":"0","vars":"${vars}","secrets":"[PROBE_KEY]"`);
    });
  });
}

const values =
  "<nil> <nil> null; int64 0 real; int64 -1 real; int64 9007199254740991 real; float64 1.5 real; float64 -2.5e+300 real; " +
  'string "" text; string "\\u00e9\\U0001f600" text; []uint8  blob; []uint8 00ff blob; int64 1 real; int64 2 real; ';

async function connect(server: Server, name: string): Promise<WebSocket> {
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}/${name}?x=%20y`);
  await once(socket, "open");
  return socket;
}

/** Opens a socket whose client reads nothing behind the answer to its upgrade. */
async function slow(server: Server, name: string): Promise<Socket> {
  const { hostname, port } = new URL(server.origin);
  const socket = createConnection(Number(port), hostname);
  const upgrade = { Host: hostname, Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": "13" };
  const headers = { ...upgrade, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" };
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  socket.write(`GET /${name} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1.1 101 /);
  socket.pause();
  return socket;
}

/** The frame of a text, masked with zeros. */
function masked(text: string): Buffer {
  const head = Buffer.from([0x81, 0xff, ...Array(8).fill(0), 0, 0, 0, 0]);
  head.writeUInt32BE(text.length, 6);
  return Buffer.concat([head, Buffer.from(text)]);
}

async function heard(socket: WebSocket): Promise<string> {
  const [event] = (await once(socket, "message")) as [{ data: string }];
  return event.data;
}

function say(socket: WebSocket, text: string): Promise<string> {
  const answer = heard(socket);
  socket.send(text);
  return answer;
}
