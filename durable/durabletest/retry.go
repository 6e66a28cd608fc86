package durabletest

// alarmAgain is how long the platform waits before it repeats a failed alarm, in milliseconds. With
// [World.GiveUp] the time doubles with each failure.
const alarmAgain = 2000

// alarmRetries is how many times the platform repeats a failed alarm.
const alarmRetries = 6

// refusedAgain is how long the host waits before it repeats an alarm that was refused, in
// milliseconds. It does so without end.
const refusedAgain = 5 * 60_000

// GiveUp makes the platform drop an alarm after its last retry. The alarm is then gone until it is
// set again. Without GiveUp an alarm is repeated every two seconds without end, as scripts expect.
func (w *World) GiveUp() { w.givesUp = true }

// repeatAlarm makes a failed alarm go off again.
func (w *World) repeatAlarm(n *node) {
	n.alarmFailures++
	switch {
	case !w.givesUp:
		n.alarm = w.now + alarmAgain
	case n.alarmFailures > alarmRetries:
		n.alarm, n.alarmFailures = 0, 0
	default:
		n.alarm = w.now + alarmAgain<<(n.alarmFailures-1)
	}
}
