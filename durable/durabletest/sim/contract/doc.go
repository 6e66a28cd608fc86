// Package contract is what a simulated agent and its simulator agree on: the methods and tools that
// the agent has, what it stores of their calls, and the words in a text that make something happen.
package contract
