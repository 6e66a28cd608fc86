// The start of the module outside of handlers, before the first request.
import { type Event, status } from "./abi.ts";
import { decodeReply, encodeOccurrence } from "./codec.ts";
import { containmentOf } from "./containment.ts";
import { Instance, type Ports } from "./instance.ts";
import { portsOf } from "./platform.ts";

/** Makes the instance that the objects of a module share. Where that fails, their first event does it. */
export function prepare(module: WebAssembly.Module, agent: string): void {
  try {
    containmentOf(module, false).adopt(prepared(module, agent, portsOf(module)));
  } catch (error) {
    const message = "the module was not started before the first request";
    console.warn(JSON.stringify({ level: "warn", message, error: String(error) }));
  }
}

/**
 * Makes an instance without the platform's randomness, which there is in handlers only. While it is made, Go's runtime draws
 * the seeds of its hash tables from Math.random. Whatever is drawn later comes from the ports.
 *
 * V8 compiles a function when it is first called. So an object is opened, on a storage that is empty and takes nothing, and
 * dropped: what the first request of a conversation calls is compiled then. It throws if the module does not handle an event
 * of the rehearsal.
 */
export function prepared(module: WebAssembly.Module, agent: string, ports: Ports): Instance {
  let starting = true;
  const instance = new Instance(module, {
    ...ports,
    seed: (bytes) => (starting ? scatter(bytes) : ports.seed(bytes)),
    random: (bytes) => (starting ? scatter(bytes) : ports.random(bytes)),
  });
  const opened: Event = { kind: "Opened", class: agent, name: "", conns: [], vars: {}, secrets: [], lost: "" };
  rehearse(instance, "open", opened);
  for (const event of first) rehearse(instance, "step", event);
  instance.close(rehearsal);
  starting = false;
  return instance;
}

/** The handle of the object that is dropped. The handles of others begin with 1. */
const rehearsal = 0;

/** The events with which a conversation begins: a page asks for its messages, and connects. */
const first: Event[] = [
  {
    kind: "RequestReceived",
    request: "r",
    method: "GET",
    url: "/agents/a/n/get-messages",
    body: null,
    header: {},
    claims: "",
  },
  { kind: "SocketOpened", conn: "c", url: "/agents/a/n?_pk=c", header: {}, claims: "" },
];

/** Delivers an event of the rehearsal. */
function rehearse(instance: Instance, verb: "open" | "step", event: Event): void {
  const reply = decodeReply(instance[verb](rehearsal, encodeOccurrence(0, event), () => []));
  if (reply.status !== status.done) throw new Error(`the module refused ${event.kind}: ${reply.error}`);
}

/** Fills the bytes with what must not be used for anything but hash tables: it can be guessed. */
function scatter(bytes: Uint8Array): void {
  for (const i of bytes.keys()) bytes[i] = Math.random() * 256;
}
