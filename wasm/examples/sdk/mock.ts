// A third-party mock of both APIs for main_test.go: it prints its address, and ends with its input.
import { LLMock } from "@copilotkit/aimock";

const mock = new LLMock({ port: 0, host: "127.0.0.1", strict: true });
mock.on({ model: "gpt-4.1-mini" }, { content: "OpenAI says hello in several pieces." }, { chunkSize: 5 });
mock.on({ model: "claude-sonnet-4-5" }, { content: "Anthropic says hello in several pieces." }, { chunkSize: 5 });
await mock.start();
console.log(mock.url);
process.stdin.resume().on("end", () => mock.stop());
