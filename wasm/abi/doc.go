// Package abi is the contract between the module and its hosts: the version, the numbers of events
// and commands, and their bytes. README.md beside this file is its manual. The shim's abi.ts is the
// same table in TypeScript, and testdata/golden.json tests both.
//
// The ABI is private: guest and shim are built and deployed together, and refuse each other if
// their versions differ.
//
// The types of events and commands belong to the core. The number of a kind is its place in the
// tables of event.go and command.go, and never changes its meaning.
package abi
