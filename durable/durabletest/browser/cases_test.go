package browser_test

import "github.com/tributary-agents/tributary/durable/durabletest/browser"

func cases() map[string]*browser.Vector { return nil }
