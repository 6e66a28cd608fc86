// Serves the application of the tests until it is interrupted, to run a judge by hand:
//
//   node e2e/mcp/serve.ts
import { once } from "node:events";
import { join } from "node:path";
import { application } from "../application.ts";
import { dev } from "../dev.ts";
import { roots } from "./roots.ts";
import { vars } from "./suite.ts";

const project = await application(join(import.meta.dirname, "agents"), roots);
const server = await dev({ config: project.path("wrangler.jsonc"), vars });
console.log(`${server.url}/agents/everything/x/mcp`);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
await server.stop();
await project.remove();
