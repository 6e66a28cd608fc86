// Package codemode answers what the tool for code needs to know of texts: what a model is told of the
// tools that its code may call, which script the host runs for the code that it wrote, and how much of
// a result the model is told. It has no state and no storage.
//
// README.md has the decisions.
package codemode
