// Package sim runs simulated worlds, one for each seed, and checks that the invariants hold in
// them. It carries out decisions, makes trouble, and lets a world come to rest. Everything else is
// in the packages below it:
//
//   - contract: the agreement of the simulated agents with the simulator
//   - dice, profile, decide: the choices of a seed, and the decisions that follow from them
//   - people: tabs, their connections, and the actions of people in them
//   - model: the model's server
//   - office: the server that the steps and actions of clerks have effects at
//   - hostile: a root that harms the others
//   - lane, mode, transcript: items on their way, switches, and the record of all events
//   - stored: the tables of objects, to read
//   - check, with request, object, client and office: the rules
package sim
