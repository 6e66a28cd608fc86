package guest

import "runtime/debug"

// objectBudget is how many bytes an instance's objects may hold in memory, as
// they report it themselves.
const objectBudget = 16 << 20

// settle sets the garbage collector for a heap that is small and lives in a
// memory that never shrinks.
func settle() { debug.SetGCPercent(50) }
