// What is measured, in the order of the table, and what the figures should be.

/** What a figure of Tributary should be: at most so much, or at least. */
export interface Goal {
  most?: number;
  least?: number;
  /** At most this multiple of the figure of the floor, or of the peer. */
  floor?: number;
  peer?: number;
}

export interface Row {
  what: string;
  /** "" is a count. */
  unit: "" | "B" | "KB" | "ms" | "/s";
  goal?: Goal;
}

type Rows = Record<string, Row>;

const row = (unit: Row["unit"], what: string, goal?: Goal): Row => ({ what, unit, ...(goal && { goal }) });
const count = (what: string, goal?: Goal) => row("", what, goal);
const bytes = (what: string, goal?: Goal) => row("B", what, goal);
const kilobytes = (what: string, goal?: Goal) => row("KB", what, goal);
const ms = (what: string, goal?: Goal) => row("ms", what, goal);
const rate = (what: string, goal?: Goal) => row("/s", what, goal);

/** The rows of what the platform bills for something. */
const bill = <K extends string>(key: K, what: string, statements?: Goal, read?: Goal, written?: Goal) =>
  ({
    [`${key}.statements`]: count(`${what}: statements`, statements),
    [`${key}.rowsRead`]: count(`${what}: rows read`, read),
    [`${key}.rowsWritten`]: count(`${what}: rows written`, written),
    [`${key}.unseen`]: count(`${what}: alarms and keys written, billed as rows too`),
  }) as Record<`${K}.${"statements" | "rowsRead" | "rowsWritten" | "unseen"}`, Row>;

/** The rows of what a turn sends down, by whether the client posts its list or only its new message. */
const sent = <N extends number>(turn: N) => {
  const of = (what: string, which: string) =>
    bytes(`down in turn ${turn.toLocaleString("en")}, ${which} a connect, of a client that posts ${what}`, {
      most: 4096,
    });
  return {
    [`bytes.${turn}.list.first`]: of("its list", "the first behind"),
    [`bytes.${turn}.list.next`]: of("its list", "the second behind"),
    [`bytes.${turn}.new.first`]: of("its new message", "the first behind"),
    [`bytes.${turn}.new.next`]: of("its new message", "the second behind"),
  } as Record<`bytes.${N}.${"list" | "new"}.${"first" | "next"}`, Row>;
};

/** The rows of a conversation that is so long. */
const long = <N extends number>(n: N) => {
  const of = `of ${n.toLocaleString("en")} messages`;
  return {
    [`long.${n}.messages`]: ms(`get-messages ${of}`),
    [`long.${n}.connect`]: ms(`connect to a conversation ${of}`),
    [`long.${n}.new`]: ms(`request to first text in a conversation ${of}`),
    [`long.${n}.list`]: ms(`request with a list to first text in a conversation ${of}`),
  } as Record<`long.${N}.${"messages" | "connect" | "new" | "list"}`, Row>;
};

/** The rows of a neighbour's call beside what somebody hostile sends. */
const beside = <K extends string>(kind: K, what: string) =>
  ({
    [`neighbour.${kind}.p50`]: ms(`a neighbour's call beside ${what}: the middle`),
    [`neighbour.${kind}.max`]: ms(`the same: the longest`, { most: 1000 }),
  }) as Record<`neighbour.${K}.${"p50" | "max"}`, Row>;

/** The rows of a kill while so many helpers work. */
const recover = <N extends number>(n: N, helpers: string) =>
  ({
    [`recover.${n}.restart`]: ms(`a kill beside ${helpers}, to the first answer`),
    [`recover.${n}.first`]: ms(`a kill beside ${helpers}, from there to the first new word`),
    [`recover.${n}.every`]: ms(`a kill beside ${helpers}, from there to one of each`),
  }) as Record<`recover.${N}.${"restart" | "first" | "every"}`, Row>;

export const rows = {
  ...bill("fresh", "a new agent, connected"),
  "fresh.opening": count("a new agent: statements of its opening", { most: 5 }),
  "fresh.size": kilobytes("a new agent: its file", { most: 24 }),
  ...bill("turn5", "a turn of 5 chunks", {}, {}, { most: 20 }),
  ...bill("turn100", "a turn of 100 chunks, 5 ms apart", {}, {}, { most: 35 }),
  ...bill("turn1000", "a turn of 1,000 chunks at once"),
  ...bill("helper", "a new helper of 100 chunks, 5 ms apart", {}, { most: 800 }, { most: 120 }),
  "helper.size": kilobytes("a helper: its file", { most: 60 }),
  ...bill("helpers8", "8 new helpers of 100 chunks, 5 ms apart", {}, { most: 6000 }, { most: 800 }),
  ...bill("tab", "another tab, 16 kept runs of 100 chunks", { most: 30 }, { most: 60 }),
  ...bill("calls", "a turn whose code makes 100 calls, one after the other"),
  "flat.runs": count("rows read, a helper of 100 chunks beside 500 kept runs over beside 16", { most: 1 }),
  "flat.messages": count("rows read, a turn behind 2,000 messages over behind 10", { most: 1 }),
  "flat.turns": count("rows read, a turn behind 200 turns over behind 10", { most: 1 }),

  "connect.cold": ms("connect, a new agent", { floor: 1.6 }),
  "connect.again": ms("connect again", { floor: 1.4 }),
  "first.first": ms("request to first text, the first question", { floor: 5 }),
  "first.later": ms("request to first text, a later question", { floor: 5 }),
  "helper.first": ms("request to first text of a new helper", { floor: 3.5 }),
  "helper.both": ms("request to first text of both of two", { floor: 3 }),
  "rate.plain": rate("chunks of an answer of 10,000", { least: 25_000 }),
  "rate.1": rate("chunks through the parent, 1 helper", { least: 10_000 }),
  "rate.2": rate("chunks through the parent, 2 helpers"),
  "rate.8": rate("chunks through the parent, 8 helpers", { least: 20_000 }),
  "rate.16": rate("chunks through the parent, 16 helpers", { least: 20_000 }),

  "replay.kept": ms("connect to the last frame of 10 × 500 chunks", { floor: 1.5, peer: 0.6 }),
  "replay.page": ms("get-messages, and connect to that frame"),
  "replay.cold": ms("the same, nobody in memory"),

  ...sent(10),
  ...sent(1000),

  "memory.agent": kilobytes("an agent that has answered, connected", { floor: 2 }),
  "memory.helper": kilobytes("a helper that has answered", { floor: 1.7 }),
  "memory.shared": kilobytes("the shared instance, 1,000 agents that have answered", { most: 40 << 10 }),
  "crowd.held": count("connections to one conversation, of 1,000", { least: 1000 }),
  "crowd.turn": ms("a turn of 50 chunks reaches all of 1,000", { peer: 1 }),

  "size.worker": kilobytes("what is uploaded, gzipped; the larger of the two Workers of --free", { most: 3e6 / 1024 }),
  "size.whole": kilobytes("what a deployment uploads, gzipped"),

  "cpu.turn": ms("CPU of a turn of 100 chunks, 5 ms apart", { peer: 0.5 }),
  "cpu.turn.burst": ms("CPU of a turn of 100 chunks at once", { peer: 0.5 }),
  "cpu.helper": ms("CPU of a new helper of 100 chunks, 5 ms apart", { peer: 0.5 }),
  "cpu.helper.burst": ms("CPU of a new helper of 100 chunks at once", { peer: 0.5 }),

  "start.first": ms("the first request of a new process, connecting", { floor: 1.5, peer: 1 }),

  "workflow.started": ms("request to the first frame of a workflow", { most: 50 }),
  "workflow.answered": ms("answer of a workflow's question to the frame of its next step", { most: 100 }),
  "action.first": ms("an action, from its input to its result"),
  "action.again": ms("the same action again, from its input to the result that is kept", { most: 5 }),

  "code.first": ms("a run of code without calls, the first of a conversation", { most: 12 }),
  "code.again": ms("a run of code without calls, a later one", { most: 5 }),
  "code.call": ms("a call that code makes, of a tool that answers at once", { most: 3 }),
  "code.replay": ms("code goes on behind 1,000 calls after a restart, less the same behind none", { most: 300 }),
  "code.bomb": ms("code that loops for ever, to the words of its end", { most: 1500 }),
  "code.pong": ms("ping to pong in another conversation beside it", { most: 500 }),
  "code.word": ms("request to first text in another conversation beside it", { most: 500 }),
  "mcp.list": ms("tools/list of an exposed agent, behind the front door", { most: 5 }),
  "mcp.call": ms("a call of its tool that answers at once"),
  "engine.recursion": ms("the metered engine over the published one: recursion", { floor: 1.4 }),
  "engine.records": ms("the same: 5,000 records grouped and sorted", { floor: 1.4 }),
  "engine.text": ms("the same: regular expressions and texts", { floor: 1.4 }),
  "engine.json": ms("the same: JSON of 5,000 records", { floor: 1.4 }),
  "engine.promises": ms("the same: 20,000 awaits", { floor: 1.4 }),

  // Measured by their names only. Of the first six, the floor is the modules as the linker leaves them.
  "started.ready": ms("CPU before the first request", { most: 300 }),
  "started.door": ms("the same, of the front door", { most: 120 }),
  "started.agents": ms("the same, of the agents", { most: 120 }),
  "started.first": ms("the first instance of the agents in a process"),
  "started.further": ms("a further one"),
  "started.beyond": ms("a further one, beyond fresh pages for its memory", { most: 5 }),
  "door.reused": ms("a request through the front door"),
  "door.signed": ms("a request through the front door, with a token"),
  "door.remembered": ms("a request whose answer the front door remembers"),
  "door.started": ms("a request that starts and rehearses a front door of its own"),
  "door.inside": ms("one decision inside the Worker, with a token"),
  ...long(10),
  ...long(1000),
  ...long(10_000),
  ...recover(1, "1 helper"),
  ...recover(8, "8 helpers"),
  ...beside("schemas", "schemas and results of a hostile server"),
  ...beside("code", "hostile code of a model"),
  ...beside("floods", "a hostile client's floods"),
  "neighbour.check": ms("a call whose result has the costliest of these schemas, less one without a schema", {
    most: 10,
  }),
  "neighbour.alone": ms("a turn with two helpers"),
  "neighbour.worst": count("the slowest of them beside a hostile client, over one alone", { most: 2 }),
  "neighbour.asked": count("model calls of a turn beside a hostile client, less those alone", { most: 0 }),
} satisfies Rows;

export type Key = keyof typeof rows;
