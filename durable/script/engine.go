package script

// Engine is the SHA-256 of the engine that all hosts run, the file quickjs.wasm of this release. A
// journal says with it which engine has run the code.
const Engine = "4659771cd47457e92098571d36437ad9f944e7cbe61cf7bbe3a0f673a3d65667"
