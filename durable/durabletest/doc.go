// Package durabletest is a world for objects to live in: sockets, timers,
// alarms, fetches and a clock, all of them plain values. A [Script] drives it; an
// [Engine] runs the objects: [Native] in this process, others the built module.
// The same script gives the same transcript on every engine.
package durabletest
