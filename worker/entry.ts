// The Worker: the front door, and the classes of the objects behind it.
import module from "../build/frontdoor.wasm";
import { serve } from "./serve";

export * from "./classes";
export default { fetch: serve(module) } satisfies ExportedHandler<Record<string, unknown>>;
