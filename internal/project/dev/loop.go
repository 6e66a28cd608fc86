package dev

import "context"

// rebuild builds, and builds again after each change, until the context is done. A build that is
// under way when a file changes is cancelled. What is told is that a build begins, with the files
// that have changed, and the outcome of each build that was not cancelled.
func rebuild(ctx context.Context, changes <-chan []string, build func(context.Context) error, tell func(status, []string)) {
	var changed []string
	for ctx.Err() == nil {
		tell(status{State: building}, changed)
		var now status
		if now, changed = attempt(ctx, changes, build); now.State == building {
			continue
		}
		tell(now, nil)
		select {
		case changed = <-changes:
		case <-ctx.Done():
		}
	}
}

// attempt builds once. When files change it cancels the build, waits for its end, and returns the
// files. The status is then that of a build to come.
func attempt(ctx context.Context, changes <-chan []string, build func(context.Context) error) (now status, changed []string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- build(ctx) }()
	select {
	case err := <-done:
		if ctx.Err() == nil {
			return outcome(err), nil
		}
		return status{State: building}, nil
	case changed = <-changes:
		cancel()
	case <-ctx.Done():
	}
	<-done
	return status{State: building}, changed
}
