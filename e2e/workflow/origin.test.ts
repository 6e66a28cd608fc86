// Workflows that a helper begins: who lists them, and who is told of their ends.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, freshName, Office, until } from "./office";

let office: Office;
let client: Client;
let name: string;

beforeAll(async () => {
  office = await Office.open();
});

afterAll(() => office.close());

/** Has a Foreman begin a run of a Secretary. Returns a client of the Foreman's conversation. */
async function begun(handler: string): Promise<Client> {
  name = freshName();
  client = await office.connect(name);
  await client.begin("Foreman", "foreman", { steps: 1, run: "secretary", handler });
  await client.until("foreman", "completed");
  await client.until("secretary", "running");
  return office.connect(name, "sub/foreman/foreman");
}

/** Ends the run of the Secretary in another life of the server. */
async function end(): Promise<void> {
  client.close();
  office.kill();
  await office.ready();
  client = await office.connect(name);
  await client.call("signal", { run: "secretary", name: "word", payload: "done", id: "s" });
  expect(await client.until("secretary", "completed")).toMatchObject({ output: ["s=done"] });
}

/** Deletes the Foreman, with its conversation. */
async function forget(foreman: Client): Promise<void> {
  foreman.close();
  await client.call("delete", "foreman");
}

test("a workflow that a helper begins is listed by the root, and its end reaches the helper", async () => {
  const foreman = await begun("ended");
  const ofSecretaries = await client.call("runs", { workflow: "Secretary" });
  expect(ofSecretaries).toMatchObject([{ runId: "secretary", status: "running", origin: [{ runId: "foreman" }] }]);
  expect(await foreman.call("runs")).toMatchObject([{ runId: "secretary", status: "running" }]);
  foreman.close();
  await end();
  const again = await office.connect(name, "sub/foreman/foreman");
  await until(async () => expect(await again.call("ends")).toEqual(["secretary completed"]));
  expect(await client.call("ends")).toEqual(["foreman completed"]);
  expect(await client.call("deadLetters")).toEqual([]);
  again.close();
  client.close();
});

test("the end of a workflow whose helper is deleted reaches the root's handler", async () => {
  await forget(await begun("ended"));
  await end();
  await until(async () => expect(await client.call("ends")).toEqual(["foreman completed", "secretary completed"]));
  expect(await client.call("deadLetters")).toEqual([]);
  client.close();
});

test("the end of a workflow that nobody has a handler for is a dead letter", async () => {
  await forget(await begun("own"));
  await end();
  await until(async () => {
    const letters = await client.call("deadLetters");
    expect(letters).toMatchObject([{ run: { runId: "secretary" }, handler: "own", origin: [{ runId: "foreman" }] }]);
  });
  expect(await client.call("ends")).toEqual(["foreman completed"]);
  client.close();
});
