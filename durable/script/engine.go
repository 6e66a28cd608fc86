package script

// Engine is the SHA-256 of the engine that all hosts run, the file quickjs.wasm of this release. A
// journal says with it which engine has run the code.
const Engine = "677a3ac8899c60f36c8f0fd39eb7dc6189249239edafbc4c405863482a86e344"
