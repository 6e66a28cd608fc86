// Tells of the tests of the clients and of the page while they run, as a part of build.sh.
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { literally, quote, Telling } from "./telling.ts";

export default class implements Reporter {
  readonly #telling = new Telling((line) => console.log(line));

  onTestModuleStart(module: TestModule): void {
    this.#telling.begin(module.id, title(module));
  }

  onTestModuleEnd(module: TestModule): void {
    this.#telling.close(module.id);
    const errors = module.errors();
    if (errors.length > 0)
      this.#telling.fail(module.id, title(module), { said: errors.map(text).join("\n"), repeat: repeat(module) });
    else if (module.ok()) this.#telling.took(title(module), module.diagnostic().duration);
  }

  onTestCaseReady(test: TestCase): void {
    this.#telling.begin(test.id, name(test));
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === "passed") this.#telling.pass(test.id);
    else if (state !== "failed") this.#telling.skip(test.id);
    else
      this.#telling.fail(test.id, name(test), {
        said: (errors ?? []).map(text).join("\n"),
        repeat: `${repeat(test.module)} -t ${quote(`^${literally(test.fullName.replaceAll(" > ", " "))}$`)}`,
      });
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors) console.log(`an error of no test: ${text(error)}`);
    this.#telling.over();
  }
}

const title = (module: TestModule): string => `${module.project.name}: ${module.relativeModuleId}`;
const name = (test: TestCase): string => `${title(test.module)} › ${test.fullName}`;
const repeat = (module: TestModule): string =>
  `npx vitest run --config e2e/vitest.config.ts --project ${quote(module.project.name)} ${quote(module.relativeModuleId)}`;
const text = ({ stack, message, diff }: { stack?: string; message: string; diff?: string }): string =>
  [stack?.includes(message) ? stack : `${message}\n${stack ?? ""}`, diff].join("\n").trim();
