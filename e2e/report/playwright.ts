// Tells of the journeys while they run, as a part of build.sh.
import { relative } from "node:path";
import type { Reporter, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { literally, quote, Telling } from "./telling.ts";

export default class implements Reporter {
  readonly #telling = new Telling((line) => console.log(line));

  onTestBegin(test: TestCase): void {
    this.#telling.begin(test.id, name(test));
  }

  onTestEnd(test: TestCase, { status, errors, attachments, duration }: TestResult): void {
    const kept = attachments.flatMap(({ path }) => (path ? [`kept: ${relative("", path)}`] : []));
    if (status === "skipped") this.#telling.skip(test.id);
    else if (test.outcome() === "expected") {
      this.#telling.took(name(test), duration);
      this.#telling.pass(test.id);
    } else
      this.#telling.fail(test.id, name(test), {
        said: [...errors.map(text), ...kept].join("\n") || status,
        repeat: `npx playwright test ${quote(titles(test)[0] ?? "")} -g ${quote(`${literally(test.title)}$`)}`,
      });
  }

  onError(error: TestError): void {
    console.log(text(error));
  }

  onEnd(): void {
    this.#telling.over();
  }

  printsToStdio(): boolean {
    return true;
  }
}

/** The file that has the test, which another one may have defined, and the titles. */
const titles = (test: TestCase): string[] => test.titlePath().slice(2);
const name = (test: TestCase): string => titles(test).join(" › ");
const text = (error: TestError): string => [error.stack ?? error.message ?? error.value, error.snippet].join("\n");
