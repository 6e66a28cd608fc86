// Package zone gives schedules the clocks of all time zones. An application whose agents name time
// zones imports it for that alone:
//
//	import _ "github.com/tributary-agents/tributary/durable/schedule/zone"
//
// The import makes a module 424 kB larger (123 kB gzipped), most of it the data of the zones.
package zone

import (
	"time"
	_ "time/tzdata" // a module has no files to read them from

	"github.com/tributary-agents/tributary/durable/schedule"
)

func init() { schedule.LoadZone = time.LoadLocation }
