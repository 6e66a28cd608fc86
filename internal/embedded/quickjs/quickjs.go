// Package quickjs embeds the JavaScript engine that runs the code of models: QuickJS-NG as the npm
// package quickjs-wasi has it, with the countdown of wasm/quickjs/meter. The command release makes the
// file. LICENSE is the one of the npm package.
package quickjs

import _ "embed"

// Engine is a WebAssembly module. wasm/quickjs says how it is driven.
//
//go:embed quickjs.wasm
var Engine []byte
