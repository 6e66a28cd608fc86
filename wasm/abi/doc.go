// Package abi is the contract between the module and its hosts: the version,
// the numbers of events and commands, and their bytes. README.md beside this
// file is its manual; the shim's abi.ts is the same table in TypeScript, and
// testdata/golden.json holds both to it.
//
// The ABI is private: guest and shim are built and deployed together, and
// refuse each other when their versions differ.
package abi

// Version is the one number that guest and host must share. It changes with
// every change to anything in this package.
const Version = 1

// Namespace is the module that the guest imports its three functions from. It
// carries the version, so that a host can tell before it runs anything.
const Namespace = "tributary_v1"
