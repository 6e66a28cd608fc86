// The platform's Workflows, as an object asks for them: a fetch to binding://NAME/workflow/VERB with a body of JSON.

/** A binding of a Workflow, as far as it is used here. */
export interface WorkflowBinding {
  get(id: string): Promise<WorkflowHandle>;
  create(options: { id: string; params: unknown; retention?: unknown }): Promise<unknown>;
}

interface WorkflowHandle {
  status(): Promise<unknown>;
  sendEvent(event: { type: string; payload: unknown }): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  restart(): Promise<void>;
  terminate(): Promise<void>;
}

/** What an object asks for. Every verb has an id; the other fields are those of create and of event. */
export interface WorkflowRequest {
  id: string;
  params?: unknown;
  retention?: unknown;
  type?: string;
  payload?: unknown;
}

type Ask = (workflow: WorkflowBinding, request: WorkflowRequest) => Promise<unknown>;

const verbs: Record<string, Ask> = {
  create: async (workflow, { id, params, retention }) => {
    await workflow.create(retention === undefined ? { id, params } : { id, params, retention });
  },
  status: async (workflow, { id }) => (await workflow.get(id)).status(),
  event: async (workflow, { id, type = "", payload }) => (await workflow.get(id)).sendEvent({ type, payload }),
  pause: async (workflow, { id }) => (await workflow.get(id)).pause(),
  resume: async (workflow, { id }) => (await workflow.get(id)).resume(),
  restart: async (workflow, { id }) => (await workflow.get(id)).restart(),
  terminate: async (workflow, { id }) => (await workflow.get(id)).terminate(),
};

/** The errors that are answers, by the words in which the platform names them. */
const refusals: [name: string, status: number][] = [
  ["instance.not_found", 404],
  ["instance.already_exists", 409],
  ["instance.cannot_", 409],
];

/** Says whether a binding is one of a Workflow. */
export function isWorkflow(binding: object): binding is WorkflowBinding {
  return "create" in binding && "get" in binding;
}

/** The verb in the path of a fetch to a binding. */
export function workflowVerb(path: string): Ask | undefined {
  const [room, verb = "", ...rest] = path.split("/");
  return room === "workflow" && rest.length === 0 && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
}

/**
 * Asks a Workflow, and answers with JSON: 200 with what the binding has returned, 404 for an instance that there is not, 409
 * for one that is there already or cannot do that, and 502 for any other failure.
 */
export async function askWorkflow(ask: Ask, workflow: WorkflowBinding, request: WorkflowRequest): Promise<Response> {
  try {
    return Response.json((await ask(workflow, request)) ?? {});
  } catch (error) {
    const words = String(error);
    const [, status = 502] = refusals.find(([name]) => words.includes(name)) ?? [];
    return Response.json({ error: words }, { status });
  }
}
