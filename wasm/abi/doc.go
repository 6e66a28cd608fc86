// Package abi is the contract between the module and its hosts: the version,
// the numbers of events and commands, and their bytes. README.md beside this
// file is its manual; the shim's abi.ts is the same table in TypeScript, and
// testdata/golden.json holds both to it.
//
// The ABI is private: guest and shim are built and deployed together, and
// refuse each other when their versions differ.
//
// The types of events and commands are the core's own; a kind's number is its
// place in the tables of event.go and command.go, and never means another.
package abi
