//go:build random

package main

import "crypto/rand"

// The start has a secret that is drawn.
func init() { table[rand.Text()] = 1 }
