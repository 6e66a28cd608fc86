package durabletest

// alarmAgain is how long the platform waits before an alarm that failed goes off
// again, in milliseconds: twice as long each time, where it gives up at all.
const alarmAgain = 2000

// alarmRetries is how often the platform lets an alarm that failed go off again.
const alarmRetries = 6

// GiveUp has the platform give an alarm up that has failed as often as it is repeated. It is
// gone then until it is set again. Without that an alarm is repeated for ever, every two
// seconds, as scripts are used to.
func (w *World) GiveUp() { w.givesUp = true }

// repeatAlarm lets an alarm that failed go off again.
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
