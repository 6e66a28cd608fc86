// Tasks, of which the library's server knows nothing: a call of the tool print is answered with a handle.
import { randomUUID } from "node:crypto";
import { type Office, sheets } from "./office.ts";

/** extension is the name under which clients and servers say that they take tasks. */
export const extension = "io.modelcontextprotocol/tasks";

const capabilities = "io.modelcontextprotocol/clientCapabilities";

interface Message {
  id?: unknown;
  method?: string;
  params?: {
    name?: string;
    taskId?: string;
    arguments?: { title?: unknown };
    _meta?: Record<string, { extensions?: Record<string, unknown> } | undefined>;
  };
}

interface Task {
  taskId: string;
  status: "working" | "completed" | "cancelled";
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  result?: unknown;
}

const now = () => new Date().toISOString();

export class Tasks {
  readonly #office: Office;
  readonly #tasks = new Map<string, Task>();

  constructor(office: Office) {
    this.#office = office;
  }

  /** Answers what is about tasks; undefined for any other request. */
  async answer(request: Request): Promise<Response | undefined> {
    if (request.method !== "POST") return undefined;
    const { id, method, params } = await messageOf(request.clone());
    const title = params?.arguments?.title;
    const takesTasks = params?._meta?.[capabilities]?.extensions?.[extension] !== undefined;
    if (method === "tools/call" && params?.name === "print" && typeof title === "string" && takesTasks) {
      return Response.json({ jsonrpc: "2.0", id, result: { resultType: "task", ...this.#begin(title) } });
    }
    if (!method?.startsWith("tasks/")) return undefined;
    const task = this.#tasks.get(params?.taskId ?? "");
    if (!task) {
      const error = { code: -32602, message: "there is no such task" };
      return Response.json({ jsonrpc: "2.0", id, error });
    }
    if (method === "tasks/cancel" && task.status === "working") change(task, "cancelled", "It was cancelled.");
    const state = method === "tasks/get" ? task : {};
    return Response.json({ jsonrpc: "2.0", id, result: { resultType: "complete", ...state } });
  }

  #begin(title: string): Task {
    this.#office.calls.push("print");
    const task: Task = {
      taskId: randomUUID(),
      status: "working",
      statusMessage: "It is queued.",
      createdAt: now(),
      lastUpdatedAt: now(),
      ttlMs: 24 * 60 * 60 * 1000,
      pollIntervalMs: 500,
    };
    this.#tasks.set(task.taskId, task);
    void this.#print(task, title);
    return { ...task };
  }

  async #print(task: Task, title: string): Promise<void> {
    const tell = async (done: number) => change(task, task.status, `Sheet ${done + 1} of ${sheets}`);
    const text = await this.#office.print(title, tell);
    if (task.status !== "working") return;
    change(task, "completed", "It is done.");
    task.result = { content: [{ type: "text", text }] };
  }
}

function change(task: Task, status: Task["status"], statusMessage: string): void {
  Object.assign(task, { status, statusMessage, lastUpdatedAt: now() });
}

/** messageOf reads a message. What is none, the library's server refuses. */
async function messageOf(request: Request): Promise<Message> {
  try {
    const message: unknown = await request.json();
    return typeof message === "object" && message !== null ? message : {};
  } catch {
    return {};
  }
}
