// Package quickjs embeds the JavaScript engine that runs the code of models: QuickJS-NG as the npm
// package quickjs-wasi has it, with the countdowns of wasm/quickjs/meter. The command release makes the
// file. LICENSE has the licences of the package and of the engine.
package quickjs

import _ "embed"

// Engine is a WebAssembly module. wasm/quickjs says how it is driven.
//
//go:embed quickjs.wasm
var Engine []byte
