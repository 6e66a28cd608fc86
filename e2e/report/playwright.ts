// Tells of the journeys while they run, as a part of build.sh.
import { relative } from "node:path";
import type { Reporter, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { quote, Telling } from "./telling.ts";

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
        repeat: `npx playwright test ${quote(`${file(test)}:${test.location.line}`)}`,
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

const file = (test: TestCase): string => relative("", test.location.file);
const name = (test: TestCase): string => `${file(test)} › ${test.titlePath().slice(3).join(" › ")}`;
const text = (error: TestError): string => [error.stack ?? error.message ?? error.value, error.snippet].join("\n");
