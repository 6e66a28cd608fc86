// C1 to C3: the official conformance suite, for both revisions and both roles.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Office } from "../workflow/office";
import { judgeClient, judgeServer, type Scenario, scored, vars } from "./suite";

let office: Office;

beforeAll(async () => {
  office = await Office.open({ config: inject("mcp"), vars });
});

afterAll(() => office.close());

/** What is wrong with some of the scenarios, in words. */
function problems(scenarios: Scenario[], names: string[]): string[] {
  return names.flatMap((name) => {
    const found = scenarios.filter((one) => one.name === name);
    if (found.length !== 1) return [`${name} was run ${found.length} times`];
    return found.flatMap((one) => one.problems.map((words) => `${name} ${one.said}\n${words}`));
  });
}

const tasks = [
  "lifecycle",
  "capability-negotiation",
  "wire-fields",
  "request-state-removal",
  "mrtr-input",
  "request-headers",
  "dispatch-and-envelope",
  "status-notifications",
  "required-task-error",
  "mrtr-composition",
].map((name) => `tasks-${name}`);

const servers = [
  {
    check: "C1",
    revision: "2026-07-28",
    total: 37,
    more: [...tasks, "http-header-validation", "http-custom-header-server-validation", "json-schema-2020-12"],
  },
  {
    check: "C2",
    revision: "2025-11-25",
    total: 30,
    more: ["server-session-lifecycle", "json-schema-2020-12", "server-sse-polling"],
  },
];
for (const { check, revision, total, more } of servers) {
  test(`${check}: the server has all of ${revision}`, async () => {
    const names = await scored(revision, "server");
    expect(names).toHaveLength(total);
    const scenarios = await judgeServer(`${office.url}/agents/everything/${revision}/mcp`, revision);
    expect(problems(scenarios, [...names, ...more])).toEqual([]);
    // A scenario that a server does not take part in has no checks.
    const empty = scenarios.filter(({ passed }) => passed === 0).map(({ name }) => name);
    expect(empty).toEqual(check === "C1" ? ["tasks-status-notifications"] : []);
  });
}

const clients = [
  { revision: "2026-07-28", total: 32 },
  { revision: "2025-11-25", total: 18 },
];
for (const { revision, total } of clients) {
  test(`C3: the client has all of ${revision}`, async () => {
    const names = await scored(revision, "client");
    expect(names).toHaveLength(total);
    const all = [...names, "json-schema-2020-12-preservation"]; // which is not scored
    const scenarios = await judgeClient(office.url, revision, all);
    expect(problems(scenarios, all)).toEqual([]);
    // What the suite allows a client to fail in, it has to fail in.
    expect(scenarios.filter(({ said }) => !/(^|\n)as expected$/.test(said))).toEqual([]);
  });
}
