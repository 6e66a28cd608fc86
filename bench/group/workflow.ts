// How fast a workflow begins and goes on, and what an action costs that was done before. Neither the floor nor the peer's local
// engine has anything to compare.
import { Side } from "../side.ts";
import { Tab } from "../tab.ts";
import type { Table } from "../table.ts";

export async function workflow(table: Table, rounds: number): Promise<void> {
  const side = await Side.start("tributary");
  try {
    for (let i = 0; i < rounds; i++) {
      await table.take(["workflow.started", "workflow.answered"], side.name, () => report(side.url, `report-${i}`));
      await table.take(["action.first", "action.again"], side.name, () => payTwice(side.url, `payment-${i}`));
    }
  } finally {
    await side.stop();
  }
}

/** From the request to the workflow's first frame, and from the answer of its question to the frame of its next step. */
async function report(url: string, name: string): Promise<number[]> {
  const tab = await Tab.open(url, name);
  let started = Number.NaN;
  let question: string | undefined;
  const sees = (frame: string) => {
    if (!frame.includes("tool-input-available")) return;
    question ??= /"toolCallId\\?":\\?"([^"\\]+)\\?",\\?"toolName\\?":\\?"ask\\?"/.exec(frame)?.[1];
  };
  await tab.ask("workflow: report 1 on the history of tea", (frame, ms) => {
    if (Number.isNaN(started) && frame.includes('"kind":"started"')) started = ms;
    sees(frame); // the workflow may ask before the answer that has begun it ends
  });
  if (question === undefined)
    await tab.frame((frame) => {
      sees(frame);
      return question !== undefined;
    });
  const answered = performance.now();
  tab.send({
    type: "cf_agent_tool_result",
    toolCallId: question,
    toolName: "ask",
    output: { readers: "everybody", formal: false },
  });
  await tab.frame((frame) => frame.includes("data-step") && frame.includes("publish"));
  const next = performance.now() - answered;
  tab.close();
  return [started, next];
}

/** From the frame of an action's input to that of its result, when it is done and when it was done before. */
async function payTwice(url: string, name: string): Promise<number[]> {
  const tab = await Tab.open(url, name);
  const times: number[] = [];
  for (let i = 0; i < 2; i++) {
    let called = Number.NaN;
    let done = Number.NaN;
    await tab.ask("act: pay 20 to Ada", (frame, ms) => {
      if (frame.includes("tool-input-available")) called = ms;
      if (frame.includes("tool-output-available")) done = ms;
    });
    times.push(done - called);
  }
  tab.close();
  return times;
}
