// How long the author of a project waits: node bench/project.ts. It prints seconds, with what they should be at most on
// an idle machine whose module cache is warm.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Project } from "../e2e/project.ts";

/** How often a text is changed. */
const rounds = Number(process.env.ROUNDS ?? 5);

async function timed<T>(what: string, goal: number, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - begin) / 1000).toFixed(1)} s (at most ${goal})`);
  return result;
}

const project = await timed("new", 2, () => Project.create());
const state = await mkdtemp(join(tmpdir(), "tributary-"));
const server = await timed("the first dev, until the page answers", 60, async () => {
  const server = await project.dev(state);
  await (await fetch(server.url)).text();
  return server;
});
/** What the Worker answers, or why it does not while it starts again. */
const about = () => fetch(`${server.url}/tributary.json`).then((response) => response.text(), String);
let title = "Assistant";
for (let round = 1; round <= rounds; round++) {
  const next = `Title ${round}`;
  await timed("a changed text, until it is served", 5, async () => {
    await project.edit("agents/assistant.go", [`Title: "${title}"`, `Title: "${next}"`]);
    while (!(await about()).includes(`"title":"${next}"`)) await wait(50);
  });
  title = next;
}
await server.stop();
await rm(state, { recursive: true });
await project.remove();
