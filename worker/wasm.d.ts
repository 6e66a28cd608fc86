declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*/wasm_exec.js";
