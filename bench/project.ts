// How long the author of a project waits: node bench/project.ts. It prints seconds, with what they should be at most on
// an idle machine whose module cache is warm.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Project } from "../e2e/project.ts";

/** How often a text is changed, and how long one change may take before it is given up, in ms. */
const rounds = Number(process.env.ROUNDS ?? 5);
const patience = 120_000;

async function timed<T>(what: string, goal: number, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - begin) / 1000).toFixed(1)} s (at most ${goal})`);
  return result;
}

/** What the Worker at an address answers, or why it does not while it starts again. */
const about = (url: string) => fetch(`${url}/tributary.json`).then((response) => response.text(), String);

/** Changes the title of the agent that people talk to, and waits until the Worker has it. */
async function rename(project: Project, url: string, from: string, to: string): Promise<void> {
  await project.edit("agents/assistant.go", [`Title: "${from}"`, `Title: "${to}"`]);
  const end = performance.now() + patience;
  while (!(await about(url)).includes(`"title":"${to}"`)) {
    if (performance.now() > end) throw new Error(`the Worker has had no title ${to} for ${patience / 1000} s`);
    await wait(50);
  }
}

const project = await timed("new", 2, () => Project.create());
const state = await mkdtemp(join(tmpdir(), "tributary-"));
try {
  const server = await timed("the first dev, until the page answers", 60, async () => {
    const server = await project.dev(state);
    await (await fetch(server.url)).text();
    return server;
  });
  try {
    const titles = ["Assistant", ...Array.from({ length: rounds }, (_, round) => `Title ${round}`)];
    for (const [i, title] of titles.slice(1).entries())
      await timed("a changed text, until it is served", 5, () => rename(project, server.url, titles[i] ?? "", title));
  } finally {
    await server.stop();
  }
} finally {
  await rm(state, { recursive: true, force: true });
  await project.remove();
}
