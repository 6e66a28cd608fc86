// Package sim lets simulated worlds go their way, one for each seed, and checks that the invariants
// hold in them. This package drives the worlds: it carries out decisions, makes trouble, and lets a
// world come to rest. The packages below it each hold one part:
//
//   - contract: what a simulated agent and its simulator agree on
//   - dice, profile, decide: what a seed is like, and what it decides
//   - people: tabs, their connections, and what people do in them
//   - model: the model's server
//   - hostile: a root that harms the others
//   - lane, mode, transcript: what is on its way, what is switched on, what has happened
//   - stored: reads the tables of objects
//   - check, with request, object and client: the rules
package sim
