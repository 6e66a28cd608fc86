package travel

// The reasons why a type cannot travel, with the texts of durable/wire.
const (
	channel   = "a channel cannot travel between objects"
	function  = "a function cannot travel between objects"
	reader    = "a reader cannot travel between objects: declare a stream"
	iface     = "an interface cannot travel between objects: the other end would not know what to make of it"
	address   = "an address cannot travel between objects: it means nothing there"
	complexes = "a complex number cannot travel between objects: msgpack has none"
	lock      = "a lock cannot travel between objects: they share no memory"
	unexport  = "an unexported field would be lost: export it, or leave it behind with `msgpack:\"-\"`"
	recursion = "a type that holds itself cannot travel between objects: its values have no bound"
	mapKey    = "a map's key must be a text or a whole number"
	twoNils   = "a pointer to what can be nil itself cannot travel between objects: the two nils are one on the wire"
	sameName  = "another field has this name on the wire"
	promoted  = "an embedded type with a codec would speak for the whole struct: give the field a name"

	// unbound has no counterpart in durable/wire: when a program runs, every type is known.
	unbound = "a type parameter is not a type yet: declare the method with the types themselves"
)
