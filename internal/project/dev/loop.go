package dev

import "context"

// rebuild builds, and builds again after each change, until the context is done. A build that is under
// way when a file changes is cancelled. The outcome of each build that was not cancelled is told.
func rebuild(ctx context.Context, changes <-chan []string, build func(context.Context) error, tell func(status)) {
	for ctx.Err() == nil {
		tell(status{State: building})
		if err, cancelled := attempt(ctx, changes, build); !cancelled {
			tell(outcome(err))
			select {
			case <-changes:
			case <-ctx.Done():
			}
		}
	}
}

// attempt builds once. It cancels the build, and waits for its end, when a file changes.
func attempt(ctx context.Context, changes <-chan []string, build func(context.Context) error) (err error, cancelled bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- build(ctx) }()
	select {
	case err := <-done:
		return err, ctx.Err() != nil
	case <-changes:
		cancel()
	case <-ctx.Done():
	}
	<-done
	return nil, true
}
