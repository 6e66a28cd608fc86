package project

import "context"

// Check compares.
func (p Project) Check(ctx context.Context) error { return nil }

// Test tests.
func (p Project) Test(ctx context.Context, args []string) error { return p.Check(ctx) }
