// Package zone gives schedules the clocks of time zones. A main package imports it if its agents
// name time zones:
//
//	import _ "github.com/tributary-agents/tributary/durable/schedule/zone"
//
// It costs the module 424 kB (123 kB gzipped), the data of all zones among them.
package zone

import (
	"time"
	_ "time/tzdata" // a module has no files to read them from

	"github.com/tributary-agents/tributary/durable/schedule"
)

func init() { schedule.LoadZone = time.LoadLocation }
