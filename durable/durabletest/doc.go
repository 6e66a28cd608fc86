// Package durabletest simulates the environment of objects: sockets, timers, alarms, fetches and a
// clock, all of them plain values. A [Script] drives it. An [Engine] runs the objects: [Native] in
// this process, others in the built module. The same script gives the same transcript on every
// engine.
package durabletest
