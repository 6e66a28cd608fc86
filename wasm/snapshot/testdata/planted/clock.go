//go:build clock

package main

import "time"

// The start has a look at the clock.
var at = time.Now()

func init() { table["at"] = int(at.Unix()) }
