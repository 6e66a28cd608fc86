package durabletest

// Pool has nothing to keep on this target; see pool.go.
type Pool struct{}

// Open always fails on this target.
func (p *Pool) Open() (*SQLite, error) { return OpenSQLite("") }

// Put does nothing on this target.
func (p *Pool) Put(*SQLite) error { return nil }

// Close does nothing on this target.
func (p *Pool) Close() error { return nil }
