// Stands in for Workers AI, which nobody has without an account: a binding with its method.
import { WorkerEntrypoint } from "cloudflare:workers";

export class Models extends WorkerEntrypoint {
  run(model: string, input: unknown, options: { returnRawResponse: boolean }): Response {
    const said = JSON.stringify({ model, input, raw: options.returnRawResponse });
    return new Response(said, { status: 203, headers: { "X-Answer": "yes" } });
  }
}
