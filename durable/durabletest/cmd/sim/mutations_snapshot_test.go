package main

// snapshotMutations are in how a module becomes one that has started.
var snapshotMutations = []mutation{
	{
		name: "snapshot: nobody is told where the seeds are", file: "../wasm/snapshot/snapshot.go",
		old:  "\t\tput(fields[imageRandom+8*i:], g.seed, seedSize)\n",
		new:  "",
		test: snapshotTest, unseen: nativeWorlds,
	},
	{
		name: "snapshot: the globals are those of the linker", file: "../wasm/snapshot/snapshot.go",
		old:  "\tm.SetGlobals(s.globals)\n",
		new:  "",
		test: snapshotTest, unseen: nativeWorlds,
	},
	{
		name: "snapshot: the memory has a page too few", file: "../wasm/snapshot/snapshot.go",
		old:  "uint32(len(s.memory) / pageSize)",
		new:  "uint32(len(s.memory)/pageSize - 1)",
		test: "../wasm/snapshot TestMemory", unseen: nativeWorlds,
	},
	{
		name: "snapshot: the keys of the hash function count as a generator", file: "../wasm/snapshot/generator.go",
		old:  "(size == wholeBuffer || size == lastBuffer)",
		new:  "size <= wholeBuffer",
		test: snapshotTest, unseen: nativeWorlds,
	},
	{
		name: "snapshot: a goroutine that waits is forgotten", file: "../wasm/snapshot/snapshot.go",
		old:  "n != resting",
		new:  "n > 1<<20",
		test: "../wasm/snapshot TestUnfit", unseen: nativeWorlds,
	},
	{
		name: "snapshot: the time of the build is kept", file: "../wasm/snapshot/snapshot.go",
		old:  "if reads > binary",
		new:  "if reads > 1<<20+binary",
		test: "../wasm/snapshot TestUnfit", unseen: nativeWorlds,
	},
	{
		name: "section: a segment ends before its last byte", file: "../internal/section/data.go",
		old:  "\t\tend = i + 1\n",
		new:  "\t\tend = max(begin+1, i)\n",
		test: "../internal/section TestSegments", unseen: nativeWorlds,
	},
	{
		name: "section: a gap between two segments is merged with the bytes behind it", file: "../internal/section/data.go",
		old:  "\t\t\tsegments = append(segments, Segment{begin, memory[begin:end]})\n\t\t\tbegin = i\n",
		new:  "\t\t\tsegments = append(segments, Segment{begin, memory[begin : end+1]})\n\t\t\tbegin = i + 1\n",
		test: "../internal/section TestSegments", unseen: nativeWorlds,
	},
}

const (
	snapshotTest = "../wasm/snapshot TestSnapshot"
	nativeWorlds = "its worlds have the native engine"
)
