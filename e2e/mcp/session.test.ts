// Sessions of the revision 2025-11-25, through the front door: what their clients miss is kept for them.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Counter, counter } from "../workflow/counter";
import { freshName, Office } from "../workflow/office";
import { clientInfo, type Message } from "./modern";

const revision = "2025-11-25";

let office: Office;
let server: Counter;

beforeAll(async () => {
  server = await counter(({ path }, response) => response.end(`delivered ${path}`));
  office = await Office.open({ config: inject("mcp") });
});

afterAll(async () => {
  await office.close();
  server.stop();
});

/** An event of a stream. */
interface Event {
  id: string;
  message?: Message;
}

/** A client with a session. */
class Session {
  readonly #name = freshName();
  #id = "";

  request(method: string, header: Record<string, string> = {}, body?: object): Promise<Response> {
    return fetch(`${office.url}/agents/courier/${this.#name}/mcp`, {
      method,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(this.#id && { "mcp-session-id": this.#id, "mcp-protocol-version": revision }),
        ...header,
      },
      ...(body && { body: JSON.stringify({ jsonrpc: "2.0", ...body }) }),
    });
  }

  async begin(): Promise<void> {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    const response = await this.request("POST", {}, { id: 0, method: "initialize", params });
    this.#id = response.headers.get("mcp-session-id") ?? "";
    expect(await response.json()).toMatchObject({ result: { protocolVersion: revision } });
    const noted = await this.request("POST", {}, { method: "notifications/initialized" });
    expect(noted.status).toBe(202);
  }
}

/** The events of a stream, as they come. */
async function* events(response: Response): AsyncGenerator<Event> {
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const all = text.split("\n\n");
    text = all.pop() ?? "";
    for (const event of all) {
      const [id, data] = [/^id: ?(.*)$/m.exec(event)?.[1], /^data: ?(.+)$/m.exec(event)?.[1]];
      if (id) yield { id, ...(data && { message: JSON.parse(data) as Message }) };
    }
  }
}

test("a client that loses its stream, and a server that is killed: the answer is fetched, once", async () => {
  const session = new Session();
  await session.begin();
  const params = { name: "deliver", arguments: { url: `${server.url}/parcel`, seconds: 3600 } };
  const first = events(await session.request("POST", {}, { id: 7, method: "tools/call", params }));
  const { value: primed } = await first.next();
  const last = (primed as Event).id;
  expect(last).toMatch(/./);
  await first.return(undefined); // the client is gone
  office.kill();
  await office.ready();
  expect(server.count("/parcel")).toBe(0);
  await office.jump();
  for (const _ of ["first", "second"]) {
    const back = events(await session.request("GET", { "last-event-id": last }));
    let answer: Message | undefined;
    for await (const { message } of back) answer = message ?? answer;
    expect(answer).toMatchObject({ id: 7, result: { content: [{ type: "text", text: "delivered /parcel" }] } });
  }
  expect(server.count("/parcel")).toBe(1);
});

test("a session ends by DELETE, with its stream, and is not known any more", async () => {
  const session = new Session();
  await session.begin();
  const stream = await session.request("GET");
  expect(stream.status).toBe(200);
  const ended = (async () => {
    for await (const _ of stream.body ?? []);
  })();
  expect((await session.request("DELETE")).status).toBe(200);
  await ended;
  const listed = await session.request("POST", {}, { id: 1, method: "tools/list" });
  expect([listed.status, await listed.json()]).toMatchObject([404, { error: { code: -32600 } }]);
  expect((await session.request("DELETE")).status).toBe(404);
});
