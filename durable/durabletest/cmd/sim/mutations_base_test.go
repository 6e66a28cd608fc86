package main

// baseMutations are those of what conversations stand on.
var baseMutations = []mutation{
	{
		name: "stream: reading begins one behind where it should", file: "stream/log.go",
		old:  "if index >= from {",
		new:  "if index > from {",
		seed: 1,
	},
	{
		name: "stream: a row is skipped", file: "stream/log.go",
		old:  "LIMIT 1`, int64(id), first)",
		new:  "LIMIT 1`, int64(id), first+1)",
		seed: 1,
	},
	{
		name: "flow: what an await has brought is not journaled", file: "flow/journal.go",
		old:  "reason = ?, failure = ?, result = ? WHERE",
		new:  "reason = ?, failure = ?, result = COALESCE(NULL, SUBSTR(?, 1, 0)) WHERE",
		seed: 1,
	},
	{
		name: "flow: an await is asked for anew in every life", file: "flow/journal.go",
		old:  "if place < len(j.branches[branch]) {",
		new:  "if place < 0 {",
		seed: 2,
	},
	{
		name: "wire: a frame that came in two pieces is lost", file: "wire/reader.go",
		old:  "whole, r.pending = r.pending[prefix:], nil",
		new:  "r.pending = nil",
		seed: 4,
	},
	{
		name: "model: what an answer had said is forgotten", file: "model/openai_request.go",
		old:  `if request.Said != "" {`,
		new:  `if request.Said == "\x00" {`,
		seed: 3,
	},
	{
		name: "limits: a browser's tools are not bounded", file: "protocol/body.go",
		old:  "if len(text) > Limits.ClientTools {",
		new:  "if len(text) > 99*Limits.ClientTools {",
		test: "agent TestEveryInputIsHeldToItsLimit", unseen: "no tab of its worlds offers so many tools",
	},
	{
		name: "containment: a second trap moves nobody", file: "durabletest/contain.go",
		old:  "moves || now-before.last < trapsAgain",
		new:  "moves",
		test: "durabletest TestContainment", unseen: "it is the simulator's own model of a host",
	},
	{
		name: "containment: any number of trees that trap is kept", file: "../wasm/host/containment.go",
		old:  "if len(c.trapped) > maxTrapped {",
		new:  "if len(c.trapped) > 9*maxTrapped {",
		test: "../wasm/host TestContainmentIsBounded", unseen: "its worlds have the native engine",
	},
}
