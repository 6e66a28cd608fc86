package abi

// LogLevel is the first parameter of the import log.
type LogLevel uint32

// The levels of the import log.
const (
	LogDebug LogLevel = iota
	LogInfo
	LogWarn
	LogError
)
