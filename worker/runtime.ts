// What a Worker takes from this project: the base of its classes, the start of their module, the front door's handler, and
// what runs scripts. A bundler leaves out the last in a Worker that does not import it.
export { ModuleObject } from "../wasm/shim/object.ts";
export { prepare } from "../wasm/shim/prepare.ts";
export { provideEngine } from "../wasm/shim/scripts.ts";
export { serve } from "./serve.ts";
