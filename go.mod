module github.com/tributary-agents/tributary

go 1.26

require (
	github.com/syumai/workers v0.32.0 // indirect
	github.com/vmihailenco/msgpack/v5 v5.4.1 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
)
