// Package classes compares the classes that Go has with Wrangler's configuration, which the project
// owns. A helper needs nothing there: the platform keeps its storage with its parent's, and a binding
// of its own would open it to everybody.
package classes

import "github.com/tributary-agents/tributary/durable"

// configFile is the configuration's name, in errors.
const configFile = "wrangler.jsonc"

// Check refuses names that are not valid in JavaScript or not unique, and reports what is missing in
// a configuration for the classes, or has to be removed, with the lines to change.
func Check(config []byte, classes []durable.Class) error {
	if err := checkNames(classes); err != nil {
		return err
	}
	c, err := parseConfig(config)
	if err != nil {
		return err
	}
	return checkConfig(c, classes)
}
