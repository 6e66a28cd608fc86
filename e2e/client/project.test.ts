// Projects of one's own: made, run, changed, broken and mended as their authors do it. The tests of a project are in
// the order of its life, because a build takes seconds.
import { chmod, mkdir, mkdtemp, rm, symlink, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanup } from "@testing-library/react";
import { isToolUIPart } from "ai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Dev } from "../dev";
import { Builds, checkout, type Outcome, Project, run } from "../project";
import { kill } from "../workerd";
import { freshName, open, waitOptions } from "./tab";

afterEach(cleanup);

/** Does something, and prints how long it took. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  console.info(`${what}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}

const get = async (server: Dev, path: string) => {
  const response = await fetch(server.url + path);
  return `${response.status} ${await response.text()}`;
};

/** Waits until the Worker answers a request in a way. The Worker starts again after a build. */
async function answers(server: Dev, path: string, answer: RegExp): Promise<void> {
  await expect.poll(() => get(server, path).catch(String), { ...waitOptions, interval: 100 }).toMatch(answer);
}

/** Checks that a command was refused in one sentence, which a list may follow, with status 1. */
function refused({ status, said }: Outcome, ...words: string[]): void {
  for (const word of words) expect(said).toContain(word);
  const text = said.replace(/exit status 1\n$/, "").trimEnd(); // go run says what its program's status was
  expect([status, text.split("\n").filter((line) => !line.startsWith("\t")).length]).toEqual([1, words.length]);
}

/** A module that imports from another version of the ABI. */
function foreign(): string {
  const name = "tributary_v99";
  const imported = `\x01${String.fromCharCode(name.length)}${name}\x01f\x00\x00`;
  const type = "\x01\x04\x01\x60\x00\x00";
  return `\x00asm\x01\x00\x00\x00${type}\x02${String.fromCharCode(imported.length)}${imported}`;
}

describe("the project that new writes", () => {
  let project: Project;
  let state: string;
  let server: Dev;
  let builds: Builds;
  /** A conversation that was begun before all builds but the first. */
  const kept = freshName();

  beforeAll(async () => {
    project = await timed("new", () => Project.create());
    state = await mkdtemp(join(tmpdir(), "the state "));
    const [poet] = /(?<=```go\n).*?(?=```)/s.exec(await project.read("README.md")) ?? [""];
    await project.write("agents/poet.go", poet);
    await project.edit("agents/assistant.go", ["Tools: []agent.Tool{\n", "Tools: []agent.Tool{\n\t\tpoem,\n"]);
    await project.edit("agents/agents.go", [
      "chat.Class(Assistant, Providers...),",
      "chat.Class(Assistant, Providers...),\n\t\tchat.Class(Poet, Providers...),",
    ]);
    server = await timed("the first dev, until the page answers", async () => {
      const server = await project.dev(state);
      expect(await get(server, "/")).toContain("200 ");
      return server;
    });
    builds = await Builds.of(server);
  });

  afterAll(async () => {
    await builds.close();
    await server.stop();
    await project.remove();
    await rm(state, { recursive: true, force: true });
  });

  test("dev serves the page, and says what it serves", async () => {
    const page = await get(server, "/");
    expect(page).toMatch(/^200 <!doctype html>/i);
    expect(page).toContain("<title>Chat</title>");
    const [version] = (await project.read(".tributary/VERSION")).slice(1).split(" ");
    expect(JSON.parse((await get(server, "/health")).slice(4))).toMatchObject({ ok: true, version });
    expect(JSON.parse((await get(server, "/tributary.json")).slice(4))).toMatchObject({
      version,
      roots: [{ agent: "assistant", class: "Assistant", title: "Assistant", suggestions: expect.any(Array) }],
    });
    const { dev } = JSON.parse((await get(server, "/tributary.json")).slice(4)) as { dev: string };
    const policy = (await fetch(server.url)).headers.get("content-security-policy");
    expect(policy).toContain(`connect-src 'self' ${dev};`);
  });

  test("the published client gets the answer of a helper", async () => {
    const tab = await open(kept, { host: server.url });
    await tab.send("Research durable execution");
    await tab.ready(1);
    await shows(tab, "Researcher", "durable execution");
  });

  test("a helper needs no line in wrangler.jsonc: the one of the README works", async () => {
    expect(await project.read("wrangler.jsonc")).not.toContain("Poet");
    const tab = await open(freshName(), { host: server.url });
    await tab.send("poem: the sea");
    await tab.ready(1);
    await shows(tab, "Poet", "the sea");
  });

  test("an answer goes on after a kill of workerd", async () => {
    const tab = await open(freshName(), { host: server.url });
    const texts = () => Object.values(tab.runs()).map((run) => run.parts.map(textOf).join(""));
    await tab.send("tool=research chunks=100 delay=20");
    await tab.until(() => expect(texts()[0]).toContain("c9 "));
    kill(server, state);
    await tab.until(() => {
      expect(runsOf(tab)).toEqual([["Researcher", "completed", expect.stringMatching(/^c0 .*c99 x+$/)]]);
      expect(tab.now().chat).toMatchObject({ status: "ready", isStreaming: false });
    });
    expect(tab.roles()).toEqual(["user", "assistant"]);
    expect(texts()[0]?.match(/c\d+ /g)).toEqual(Array.from({ length: 100 }, (_, i) => `c${i} `));
  });

  test("a change is served, and storage is kept", async () => {
    const shout = `agent.NewTool("shout", "Shouts.", func(_ *agent.Context, in question) (string, error) {
			return in.Query + "!", nil
		}),`;
    await timed("a changed text, until it is served", async () => {
      await project.edit(
        "agents/assistant.go",
        ['Title: "Assistant"', 'Title: "Valet"'],
        ["Tools: []agent.Tool{\n", `Tools: []agent.Tool{\n\t\t${shout}\n`],
      );
      await answers(server, "/tributary.json", /"title":"Valet"/);
    });
    expect(await builds.outcome()).toEqual({ state: "ok", error: "" });
    const tab = await open(kept, { host: server.url });
    await tab.until(() => expect(tab.roles()).toEqual(["user", "assistant"]));
    await shows(tab, "Researcher", "durable execution");
    await tab.send("shout: hello");
    await tab.ready(1);
    expect(outputs(tab)).toContain("hello!");
  });

  test("a file that does not compile is a build that failed, and the last one goes on", async () => {
    await project.edit("agents/assistant.go", ['Title: "Valet"', 'Title: "Valet" + missing']);
    const failed = await builds.outcome();
    expect(failed.state).toBe("failed");
    expect(failed.error).toMatch(/agents\/assistant\.go:\d+:\d+: undefined: missing/);
    const tab = await open(freshName(), { host: server.url });
    await tab.send("shout: still here");
    await tab.ready(1);
    expect(outputs(tab)).toEqual(["still here!"]);
    await project.edit("agents/assistant.go", ['Title: "Valet" + missing', 'Title: "Butler"']);
    expect(await builds.outcome()).toEqual({ state: "ok", error: "" });
    await answers(server, "/tributary.json", /"title":"Butler"/);
  });

  const binding = '{ "name": "Critic", "class_name": "Critic" }';
  const migration = '{ "tag": "v2", "new_sqlite_classes": ["Critic"] }';

  test("a class without its two lines is a build that failed, with the lines", async () => {
    await project.edit(
      "agents/agents.go",
      ["\treturn []durable.Class{\n", '\tcritic := Assistant\n\tcritic.Name = "Critic"\n\treturn []durable.Class{\n'],
      [
        "chat.Class(Researcher, Providers...),",
        "chat.Class(Researcher, Providers...),\n\t\tchat.Class(critic, Providers...),",
      ],
    );
    const failed = await builds.outcome();
    expect(failed.state).toBe("failed");
    for (const line of [binding, migration]) expect(failed.error).toContain(`\t${line}`);
    expect(await get(server, "/health")).toContain("200 ");
    refused(await project.tool("check"), binding, migration);

    await project.edit(
      "wrangler.jsonc",
      ['"class_name": "Assistant" }', `"class_name": "Assistant" }, ${binding}`],
      ['"new_sqlite_classes": ["Assistant"] }', `"new_sqlite_classes": ["Assistant"] }, ${migration}`],
    );
    expect(await builds.outcome()).toEqual({ state: "ok", error: "" });
    await answers(server, "/agents/critic/room/get-messages", /^200 \[\]$/);
    expect(await project.tool("check")).toEqual({ status: 0, said: "" });
  });

  test("what would be deployed has the page", async () => {
    const { status, said } = await project.tool("deploy", "--", "--dry-run");
    expect(said).toMatch(/Read \d+ files from the assets directory/);
    expect(said).toMatch(/Total Upload: .* gzip: /);
    expect(status).toBe(0);
  });

  test("what is wrong at the start of dev is said in one sentence", async () => {
    const { port } = new URL(server.url);
    refused(await project.tool("dev", "-port", port), `port ${port} is taken`);
    await project.edit("wrangler.jsonc", [`, ${binding}`, ""], [`, ${migration}`, ""]);
    refused(await project.tool("dev", "-port", "0"), binding, migration);
    const sub = await run(project.path("agents"), ["go", "run", "..", "dev"]);
    refused(sub, "has no wrangler.jsonc: run this in the folder of the project");
    refused(await run(checkout, ["go", "run", "./cmd/tributary", "new", project.dir]), "my app is not empty");
    const nameless = [join(project.dir, "other"), "-module", "a b"];
    refused(await run(checkout, ["go", "run", "./cmd/tributary", "new", ...nameless]), '"a b" is no module path');
  });
});

describe("a project with -empty and -page=false, another front door and another Worker around it", () => {
  let project: Project;
  let built: string;

  const door = `package main

import (
	"log"
	"net/http"
	"os"
	"time"

	"github.com/tributary-agents/tributary/worker"
)

func main() {
	settings := worker.SettingsFrom(os.Getenv)
	door := worker.Handler(settings, time.Now, worker.Options{Authorize: ann})
	worker.Rehearse(settings, door)
	log.Fatal(worker.Serve(door))
}

func ann(_ worker.Settings, _ *http.Request, to worker.Address, _ time.Time) (worker.Access, error) {
	if to.Name != "ann" {
		return worker.Access{}, &worker.Refusal{Status: http.StatusForbidden, Text: "Forbidden: only Ann comes in"}
	}
	return worker.Access{}, nil
}
`;

  const around = `export * from "./.tributary/worker.js";
import agents from "./.tributary/worker.js";

export default {
  fetch(request, env, context) {
    if (new URL(request.url).pathname === "/hello") return new Response("hello");
    return agents.fetch(request, env, context);
  },
};
`;

  beforeAll(async () => {
    project = await Project.create("-empty", "-page=false", "-module", "example.com/me/my.app/v2");
    await project.write("wrangler.jsonc", (await project.read("wrangler.jsonc")).replaceAll("\n", "\r\n"));
  });

  afterAll(() => project.remove());

  test("check is quiet, also about Windows line ends", async () => {
    expect(await project.read("go.mod")).toMatch(/^module example\.com\/me\/my\.app\/v2\n/);
    expect(await project.tool("check")).toEqual({ status: 0, said: "" });
  });

  test("what would be deployed has no assets", async () => {
    const { status, said } = await project.tool("deploy", "--", "--dry-run");
    expect(said).toMatch(/Total Upload: .* gzip: /);
    expect(said).toContain("env.Assistant (Assistant)");
    expect(said).not.toMatch(/assets/i);
    expect(status).toBe(0);
    built = await project.read(".tributary/VERSION");
  });

  test("a module of another ABI is refused before anything runs", async () => {
    await project.write(".tributary/agents.wasm", foreign());
    const versions = /the host speaks version \d+, the module speaks version 99\b/;
    for (const command of ["deploy", "dev"]) {
      const { status, said } = await project.tool(command);
      expect(said).toMatch(versions);
      expect([status, said.trim().split("\n").length]).toEqual([1, 2]); // the second line is of go run
    }
  });

  test("what Go, Node or npm lack is said in one sentence", async () => {
    await unlink(project.path("node_modules"));
    await unlink(project.path(".tributary/agents.wasm"));
    for (const command of ["deploy", "dev"])
      refused(await project.tool(command), "wrangler is not installed: run npm install");
    const modules = join(checkout, "node_modules");
    await mkdir(project.path("node_modules"));
    await symlink(join(modules, "wrangler"), project.path("node_modules/wrangler"));
    await mkdir(project.path("bin"));
    const path = process.env.PATH ?? "";
    const tool = project.path("bin/tool");
    expect(await run(project.dir, ["go", "build", "-o", tool, "."])).toEqual({ status: 0, said: "" });
    const { said: real } = await run(project.dir, ["go", "env", "GOROOT"]);
    for (const [name, script, refusal] of [
      ["node", "echo v20.19.0", "this Node is 20.19.0, and wrangler needs 22.12 or newer: run npm install"],
      [
        "go",
        `"${real.trim()}/bin/go" "$@" | sed s/go1[.]26[^\\"]*/go1.25.3/`,
        "this is go1.25.3: install Go 1.26 or newer",
      ],
    ] as const) {
      await project.write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
      await chmod(project.path(`bin/${name}`), 0o755);
      const answer = await run(project.dir, [tool, "dev", "-port", "0"], { PATH: `${project.path("bin")}:${path}` });
      refused(answer, refusal);
      await unlink(project.path(`bin/${name}`));
    }
    await rm(project.path("node_modules"), { recursive: true });
    await symlink(modules, project.path("node_modules"));
  });

  describe("when it runs", () => {
    let state: string;
    let server: Dev;

    beforeAll(async () => {
      await mkdir(project.path("frontdoor"));
      await project.write("frontdoor/main.go", door);
      await project.write("worker.ts", around);
      await project.edit("wrangler.jsonc", ['".tributary/worker.js"', '"worker.ts"']);
      await project.write(".tributary/VERSION", "v0.1.0 0123456789abcdef go1.26.0\n");
      await project.write(".tributary/agents.wasm", foreign());
      state = await mkdtemp(join(tmpdir(), "the state "));
      server = await project.dev(state);
    });

    afterAll(async () => {
      await server.stop();
      await rm(state, { recursive: true, force: true });
    });

    test("a build of another version was built anew", async () => {
      expect(await project.read(".tributary/VERSION")).toBe(built);
    });

    test("the front door lets in one name", async () => {
      expect(await get(server, "/agents/assistant/ann/get-messages")).toBe("200 []");
      expect(await get(server, "/agents/assistant/bob/get-messages")).toBe("403 Forbidden: only Ann comes in");
      expect(await upgrade(server, "ann")).toBe("open");
      expect(await upgrade(server, "bob")).toBe("4403 Forbidden: only Ann comes in");
    });

    test("the Worker around it answers /hello and hands on the rest, and there is no page", async () => {
      expect(await get(server, "/hello")).toBe("200 hello");
      expect(await get(server, "/health")).toMatch(/^200 {"ok":true/);
      expect(await get(server, "/")).toMatch(/^404 /);
    });

    test("its one agent answers", async () => {
      const tab = await open("ann", { host: server.url });
      await tab.send("hi chunks=3");
      await tab.ready(1);
      expect(tab.text()[1]).toMatch(/^c0 .*c2 x+$/);
    });
  });
});

type Tab = Awaited<ReturnType<typeof open>>;

/** The class of each helper that a tab shows, what became of its run, and what it has said. */
const runsOf = (tab: Tab) =>
  Object.values(tab.runs()).map((run) => [run.agentType, run.status, run.parts.map(textOf).join("")]);

/** Waits until a tab shows one helper, which has completed and said something. */
const shows = (tab: Tab, agent: string, said: string) =>
  tab.until(() => expect(runsOf(tab)).toEqual([[agent, "completed", expect.stringContaining(said)]]));

/** The outputs of the tools that a tab shows. */
const outputs = (tab: Tab) =>
  tab.now().chat.messages.flatMap(({ parts }) => parts.filter(isToolUIPart).map((part) => part.output));

const textOf = (part: { type: string }) => ("text" in part ? String(part.text) : "");

/**
 * What becomes of a socket to an agent: that it stays open until it is greeted, or the code and the reason of its end.
 */
function upgrade(server: Dev, name: string): Promise<string> {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/agents/assistant/${name}?_pk=x`);
  return new Promise((resolve) => {
    socket.addEventListener("message", () => {
      resolve("open");
      socket.close();
    });
    socket.addEventListener("close", ({ code, reason }) => resolve(`${code} ${reason}`));
  });
}
