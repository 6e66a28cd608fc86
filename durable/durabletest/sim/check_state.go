package sim

import "github.com/tributary-agents/tributary/durable"

// checkState is what checks remember.
type checkState struct {
	// before is what an object had stored before the event that shall trap, or "" where that is not known.
	before string
	// full are the storages that nothing can be written to.
	full map[string]bool
	// wasFull are those that ever were.
	wasFull map[string]bool
	// met are the sockets that the root knows, each with the path that it is for.
	met map[durable.ConnID]string
	// made are the objects whose tables are there, turns and runs the rows of the one to
	// which something has just happened.
	made  map[string]bool
	turns []turnRow
	runs  []runRow
	// sent is what has just been sent.
	sent []sent
	// conns are the sockets that the root still has after what has just happened.
	conns []durable.ConnID
	// storedTurns, storedRuns and takenSlots are what was read of objects last.
	storedTurns map[string]cachedRows[turnRow]
	storedRuns  map[string]cachedRows[runRow]
	takenSlots  map[string]cachedRows[durable.Row]
	// status is the status that a turn or a run was last seen in.
	status map[string]string
	// said is what was sent under a chunk's number, heard how far each socket is with
	// each stream.
	said map[string]string
	// silent are the numbers that somebody was told nothing under.
	silent map[string]bool
	heard  map[string]*streamCursor
	// arrived are the frames of browsers that have arrived.
	arrived []string
	// answered counts how often people have answered a call at the end.
	answered map[string]int
	followers
	// until is when the token of a socket ends, 0 where it was closed for that.
	until map[durable.ConnID]int64
	// called are the calls of methods, by connection and id, keys the submissions of keys.
	called map[string]*pendingCall
	keys   map[string]string
	// submissions are those that there were, unbegun the texts of those that were over before
	// they had begun, begun the last turn of an object that has.
	submissions, unbegun map[string]bool
	begun                map[string]int64
	// dead are the runs whose ends were ever dead letters.
	dead map[string]bool
	// detached are the statuses of detached runs, reports what was heard of runs, by
	// connection.
	detached map[string]string
	reports  map[string]*runReports
	expectedCalls
	// asked are the runs that have not begun.
	asked map[string]askedRun
	// trapped are the slots whose last event has trapped.
	trapped map[string]bool
	// rootTraps counts the events of the root that have trapped.
	rootTraps int
	// broken are the objects whose code has trapped on purpose since a turn of theirs failed last.
	broken map[string]bool
	// promised are the answers of people that an object has taken, by call.
	promised map[string]bool
	openQuestions
	// alarm is when the root's alarm went off after its last event.
	alarm int64
	// helperTold are the slots of the helpers that were called with what may be a person's answer, by call.
	helperTold map[string]string
	// muted are the lanes of links that fell silent, until whoever began one begins it again.
	muted map[string]bool
	// clocks are those of runs, as they were seen last.
	clocks map[string]clock
	// queuedAt is when messages were queued that wait for others, by turn.
	queuedAt map[int64]int64
	// attempted are the attempts that objects' turns had counted when they were seen last.
	attempted map[string]attempts
	newcomers
	relayedAnswers
	// words are the texts of messages that were sent, where messages are merged.
	words map[string]string
	// gaveWay are the submissions that were skipped.
	gaveWay map[string]bool
	// anew says that somebody has asked for an answer to be given anew.
	anew bool
}

func newCheckState() *checkState {
	return &checkState{
		storedTurns: map[string]cachedRows[turnRow]{}, storedRuns: map[string]cachedRows[runRow]{}, takenSlots: map[string]cachedRows[durable.Row]{},
		full: map[string]bool{}, wasFull: map[string]bool{}, met: map[durable.ConnID]string{}, status: map[string]string{}, made: map[string]bool{}, said: map[string]string{},
		heard: map[string]*streamCursor{}, answered: map[string]int{}, silent: map[string]bool{}, promised: map[string]bool{}, openQuestions: openQuestions{messages: map[string]string{}}, followers: newFollowers(),
		words: map[string]string{}, gaveWay: map[string]bool{}, relayedAnswers: relayedAnswers{relayed: map[string]relayedAnswer{}, onPages: map[string]bool{}},
		until: map[durable.ConnID]int64{}, asked: map[string]askedRun{},
		called: map[string]*pendingCall{}, keys: map[string]string{}, submissions: map[string]bool{}, unbegun: map[string]bool{}, begun: map[string]int64{},
		trapped: map[string]bool{}, broken: map[string]bool{}, detached: map[string]string{}, dead: map[string]bool{}, reports: map[string]*runReports{}, expectedCalls: expectedCalls{orders: map[string]*expectedCall{}},
		helperTold: map[string]string{}, muted: map[string]bool{}, clocks: map[string]clock{}, queuedAt: map[int64]int64{}, attempted: map[string]attempts{},
	}
}
