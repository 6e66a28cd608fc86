// Tells of the tests that Node runs itself, as a part of build.sh.
import { relative, resolve } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { literally, quote, Telling } from "./telling.ts";

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const lines: string[] = [];
  /** What the tests of a file have printed, which is told with a failure. */
  const printed = new Map<string, string[]>();
  const kept = (file = "") => printed.get(resolve(file)) ?? [];
  const keep = (file: string | undefined, text: string) =>
    printed.set(resolve(file ?? ""), [...kept(file), text].slice(-50));
  const telling = new Telling((line) => lines.push(`${line}\n`));
  for await (const { type, data } of events) {
    if (type === "test:start") telling.begin(id(data), data.name);
    else if (type === "test:pass" && data.skip !== undefined) telling.skip(id(data));
    else if (type === "test:pass") telling.pass(id(data));
    else if (type === "test:fail" && isOfItself(data.details.error))
      telling.fail(id(data), data.name, {
        said: [...kept(data.file), String(data.details.error?.cause ?? data.details.error)].join(""),
        repeat: `node --test --test-name-pattern ${quote(`${literally(data.name)}$`)} ${quote(relative("", data.file ?? ""))}`,
      });
    else if (type === "test:fail") telling.close(id(data));
    else if (type === "test:stderr" || type === "test:stdout") keep(data.file, data.message);
    yield* lines.splice(0);
  }
  telling.over();
  yield* lines;
}

const id = ({ file, nesting, name }: { file?: string; nesting: number; name: string }): string =>
  `${file} ${nesting} ${name}`;

/** Says whether a test has failed by itself, and not because a test within it has. */
const isOfItself = (error: Error & { failureType?: string }): boolean => error.failureType !== "subtestsFailed";
