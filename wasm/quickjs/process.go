//go:build !wasip1

package quickjs

import "github.com/tributary-agents/tributary/durable/script"

func init() { script.Host = New().Call }
