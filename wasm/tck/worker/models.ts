// A fake of Workers AI, which needs an account: a binding with the same method.
import { WorkerEntrypoint } from "cloudflare:workers";

export class Models extends WorkerEntrypoint {
  run(model: string, input: unknown, options: { returnRawResponse: boolean }): Response {
    const said = JSON.stringify({ model, input, raw: options.returnRawResponse });
    return new Response(said, { status: 203, headers: { "X-Answer": "yes" } });
  }
}
