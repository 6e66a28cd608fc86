// What a Worker takes from this project: the base of its classes, the start of their module, and the front door's handler.
export { ModuleObject } from "../wasm/shim/object.ts";
export { prepare } from "../wasm/shim/prepare.ts";
export { serve } from "./serve.ts";
