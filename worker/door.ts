// The front door as a Worker, which answers every request or forwards it to an object.
import { env } from "cloudflare:workers";
import module from "../build/frontdoor.wasm";
import about from "./about.json";
import { serve } from "./serve.ts";

export default { fetch: serve(module, { ...env }, about) } satisfies ExportedHandler;
