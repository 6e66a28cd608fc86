package script

// Engine is the SHA-256 of the engine that all hosts run, the file quickjs.wasm of this release. A
// journal says with it which engine has run the code.
const Engine = "3a628603c6ed713f863ef53c075d6d606cd808db1ca3a1b684deae47793a7956"
