// A model that makes mistakes, behind an OpenAI-compatible endpoint: it calls the code tool with one input after the other,
// and says how many results it has seen.
import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import { inject } from "vitest";
import { freshName, Office } from "../workflow/office";
import { Coder } from "./coder";

/** The inputs that the model gives to the code tool, by the name in its question. They may be larger than a question. */
const plans = new Map<string, unknown[]>();

/** The inputs for the question of a request. */
function inputsOf({ messages }: ChatCompletionRequest): unknown[] {
  const asked = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
  return plans.get(/plan\d+/.exec(asked)?.[0] ?? "") ?? [];
}

/** The results at the end of a request. */
function resultsOf({ messages }: ChatCompletionRequest): string[] {
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));
}

/** A server whose Novices ask that model. */
export class School {
  readonly #mock: LLMock;
  readonly office: Office;
  /** What the model was told of its calls when it was asked last. */
  told: string[] = [];

  private constructor(mock: LLMock, office: Office) {
    this.#mock = mock;
    this.office = office;
  }

  static async open(): Promise<School> {
    const mock = new LLMock({ port: 0, host: "127.0.0.1", strict: true });
    await mock.start();
    const vars = { MODEL_BASE_URL: `${mock.url}/v1`, MODEL_NAME: "novice" };
    const school = new School(mock, await Office.open({ config: inject("code"), vars }));
    mock.on({ predicate: () => true }, (request) => {
      const results = resultsOf(request);
      school.told = results;
      const inputs = inputsOf(request);
      if (results.length === inputs.length) return { content: `${results.length} results` };
      return { toolCalls: [{ name: "code", arguments: JSON.stringify(inputs[results.length]) }] };
    });
    return school;
  }

  async close(): Promise<void> {
    await this.office.close();
    await this.#mock.stop();
  }

  /** Has the model of a new conversation call the code tool with these inputs, one after the other. */
  async ask(...inputs: unknown[]) {
    const coder = await Coder.open(this.office, freshName(), "Novice");
    const id = `plan${plans.size}`;
    plans.set(id, inputs);
    const message = await coder.over(await coder.say(`Carry out ${id}`));
    coder.close();
    return message;
  }
}
