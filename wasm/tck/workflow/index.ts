// A Worker with a Workflow and an agent whose tool runs it. The paths below /workflow are for the test: they list the
// instances that have begun, say whether a creation has stopped, and send an instance an event.
import "../../../.tributary/wasm_exec.js";
import { env, WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";
import frontdoor from "../../../.tributary/frontdoor.wasm";
import module from "../../../build/tck/workflow.wasm";
import { serve } from "../../../worker/serve.ts";
import { ModuleObject } from "../../shim/object.ts";
import { prepare } from "../../shim/prepare.ts";

interface Env {
  REPORTS: Workflow;
  BEGUN: KVNamespace;
}

type Making = WorkflowInstanceCreateOptions<{ query: string }>;

/** The Workflow, whose first creation for the queries "before" and "after" is never answered: it stops there. */
const stopping = ({ REPORTS, BEGUN }: Env) => ({
  get: (id: string) => REPORTS.get(id),
  async create(making: Making): Promise<WorkflowInstance> {
    const query = String(making.params?.query);
    const stops = (query === "before" || query === "after") && (await BEGUN.get(`stopped ${query}`)) === null;
    if (!stops) return REPORTS.create(making);
    if (query === "after") await REPORTS.create(making);
    await BEGUN.put(`stopped ${query}`, String(making.id));
    return new Promise(() => {});
  },
});

export class Assistant extends ModuleObject {
  static override module = module;
  static override agent = "Assistant";

  constructor(state: DurableObjectState, env: Record<string, unknown>) {
    super(state, { ...env, REPORTS: stopping(env as unknown as Env) });
  }
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
    if (verb === "stopped") return Response.json(await BEGUN.get(`stopped ${query}`));
    const instance = await REPORTS.get(String(ids[0]));
    if (verb === "status") return Response.json(await instance.status());
    await instance.sendEvent({ type: "word", payload: url.searchParams.get("word") });
    return new Response("sent");
  },
} satisfies ExportedHandler;
