package mcpserver

// failure is an error that is a constant: the module of an application that does not use this package runs
// no code for it.
type failure string

func (f failure) Error() string { return string(f) }
