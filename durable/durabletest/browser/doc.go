// Package browser is a model of the published client in one tab: what useAgent,
// useAgentChat and useAgentToolEvents of agents 0.32 do with the frames that they
// hear, which frames they send, and what they show. It is a plain value: frames and
// what a person does go in, frames come out, and time is told.
//
// Where AI SDK 6 and 7 differ the model is the stricter one. What it leaves out is
// what Tributary does not say: tools in the browser, replays of continuations, state,
// and calls of methods.
package browser
