// Package schedule is the table of what an agent shall do later: once at a time, after a
// delay, at intervals, or at the times of a cron expression. It decides when a callback is
// due, counts its attempts, and keeps those that have failed; who calls it, and the alarm,
// are others' affair.
//
// A callback that is due is claimed in one event and called in the next, so that the
// attempt stays counted when the callback takes its instance with it. One is claimed at a
// time: whatever is lost then is its fault, and no other's.
package schedule
