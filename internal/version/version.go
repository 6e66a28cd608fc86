// Package version holds the version of this module.
package version

// Version is the version that the module is released as, or the next one until it is.
const Version = "0.2.0-dev"
