// Package code is the JavaScript that the models of a simulated world write. A program is drawn as a list
// of steps. Its text is printed from them, and what the code has to return follows from the steps and
// from what became of the calls.
package code
