// Package validator checks JSON values against JSON Schemas that anybody may have written: draft 2020-12, or
// draft-07 where the schema says so.
//
// Whoever writes a schema or a value decides how much work the check is, and the check runs in an instance that
// other conversations share. So everything that a check does is taken from one countdown of [MaxSteps]: reading
// both texts, compiling the schema and its patterns, following references, each check of a value against a
// schema, each comparison, each step of a pattern, and the words of the error. A check that needs more ends with
// [ErrSteps]. One that nests deeper than [MaxDepth] ends with [ErrDepth]. Both are errors like any other. The
// same pair always takes the same number of steps.
package validator
