// Package schedule is the table of an agent's schedules. A schedule calls a callback at one time,
// after a delay, at intervals, or at the times of a cron expression: [At], [After], [Every] and
// [Cron] say when. An author of agents needs only these and the options [ID] and [MaxAttempts];
// Conversation.Schedule of package agent takes them.
//
// The rest of the package is for package chat. It decides when a callback is due, counts its
// attempts, and keeps failed schedules. It calls no callback and sets no alarm; its caller does. A
// due callback is claimed in one event and called in the next, so that the attempt stays counted if
// the callback ends its instance. Only one is claimed at a time, so the loss of an instance is
// charged to that callback alone. README.md beside this file has the decisions.
package schedule
