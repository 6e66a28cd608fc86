// Package check is what the rules of a simulated world have in common: what they may look at, and
// where they report that a rule is broken. The rules are in the packages below it. They observe
// handled events, the storage of objects and the frames that browsers are sent. They know nothing
// of how decisions are chosen.
package check
