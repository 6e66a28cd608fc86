// Package browser is a model of the published client in one tab: what useAgent, useAgentChat and
// useAgentToolEvents of agents 0.32 do with the frames that they receive, which frames they send,
// and what they show. It is a plain value. Frames and a person's actions go in, frames come out,
// and the caller gives the time.
//
// Where AI SDK 6 and 7 differ, the model follows the stricter one. It leaves out what no simulated
// world uses: tools in the browser, replays of continuations, state, and calls of methods.
package browser
