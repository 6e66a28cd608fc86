package audience

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

const (
	// settingShown is the key of the last transcript that was sent, JSON.
	settingShown = "shown"
	// settingReplay is the beginning of a setting's key. It is followed by a connection whose replay is
	// not over. The setting is written only if the replay takes more than one page. A socket outlives the
	// object's memory, and is not greeted again. Without the setting the replay would end with the memory
	// (invariant I4), or begin again for every socket whenever the object is opened.
	settingReplay = "replay/"
	// settingOwed is the key of the kinds that connections may be owed. It begins like the key of a replay,
	// with which it is read. No connection has such a name.
	settingOwed = settingReplay + "/"

	// ReplayTimer is the timer of the next page.
	ReplayTimer = "replay"
	// ShowTimer is the timer at whose end the connections are sent what they are owed.
	ShowTimer = "show"
)
