// A third-party mock of both APIs for sdk_test.go. It prints its address, and ends with its input.
import { LLMock } from "@copilotkit/aimock";

const mock = new LLMock({ port: 0, host: "127.0.0.1", strict: true });
for (const model of ["gpt-4.1-mini", "claude-sonnet-4-5"])
  mock.on({ model }, { content: "The mock says hello in several pieces." }, { chunkSize: 5 });
await mock.start();
console.log(mock.url);
process.stdin.resume().on("end", () => mock.stop());
