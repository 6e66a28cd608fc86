// Package tributary is what the main package of a project calls. The same file has two lives: built
// for wasip1 it is the module that runs in every Durable Object, and built natively it is the tool
// that builds, checks, runs and deploys the project.
//
//	func init() { tributary.Serve(agents.Classes()...) }
//
//	func main() { tributary.Main() }
//
// The tool's commands are listed by go run . help.
package tributary

import "github.com/tributary-agents/tributary/internal/version"

// Version is the version of this module, without a leading v.
const Version = version.Version
