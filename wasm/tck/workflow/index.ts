// A Worker with a Workflow and an agent whose tool runs it. The paths below /workflow are for the test: they list the
// instances that have begun, and send one an event.
import "../../../.tributary/wasm_exec.js";
import { env, WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";
import frontdoor from "../../../.tributary/frontdoor.wasm";
import module from "../../../build/tck/workflow.wasm";
import { serve } from "../../../worker/serve.ts";
import { ModuleObject } from "../../shim/object.ts";
import { prepare } from "../../shim/prepare.ts";

export class Assistant extends ModuleObject {
  static override module = module;
  static override agent = "Assistant";
}

interface Env {
  REPORTS: Workflow;
  BEGUN: KVNamespace;
}

/** Waits for a person's word and returns it with the question. */
export class Report extends WorkflowEntrypoint<Env, { query: string }> {
  override async run(event: WorkflowEvent<{ query: string }>, step: WorkflowStep): Promise<unknown> {
    const { query } = event.payload;
    await step.do("begin", async () => this.env.BEGUN.put(`${query}/${crypto.randomUUID()}`, event.instanceId));
    if (query.includes("nothing")) throw new Error("there is nothing to report");
    const { payload } = await step.waitForEvent<string>("a word", { type: "word", timeout: "1 hour" });
    return { query, word: payload };
  }
}

prepare(module, Assistant.agent);

const { REPORTS, BEGUN } = env as unknown as Env;
const door = serve(frontdoor, { ...env });

/** Lists the ids of the instances that have begun for a query, once for each time that their first step ran. */
async function begun(query: string): Promise<string[]> {
  const { keys } = await BEGUN.list({ prefix: `${query}/` });
  return Promise.all(keys.map(async ({ name }) => String(await BEGUN.get(name))));
}

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const [, room, verb, given = ""] = url.pathname.split("/");
    if (room !== "workflow") return door(request);
    const query = decodeURIComponent(given);
    const ids = await begun(query);
    if (verb === "begun") return Response.json(ids);
    const instance = await REPORTS.get(String(ids[0]));
    if (verb === "status") return Response.json(await instance.status());
    await instance.sendEvent({ type: "word", payload: url.searchParams.get("word") });
    return new Response("sent");
  },
} satisfies ExportedHandler;
