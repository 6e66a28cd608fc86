// Package durabletest simulates the environment of objects: sockets, timers, alarms, fetches and a
// clock, all of them plain values. A [World] is that environment; [World.Do] performs one action in
// it, and [RunScripts] compares whole scripts of actions with their results. An [Engine] runs the
// objects: [Native] in this process, others in the built module. The same script gives the same
// transcript on every engine.
package durabletest
