// The host of the port for scripts in a Worker: ../../durable/script. ../quickjs is the same host in Go.
import { Box, ended } from "./box.ts";
import { Encoder } from "./encoder.ts";
import type { ScriptHost } from "./instance.ts";
import { provideScripts } from "./platform.ts";
import { decodeRequest, encodeResult, type Open, type Request, type Result, state } from "./scriptcodec.ts";
import { Shelf } from "./shelf.ts";

/** Runs the scripts of one instance of a module. */
export class Scripts implements ScriptHost {
  readonly #engine: WebAssembly.Module;
  readonly #shelf: Shelf<Box>;
  /** The boxes that wait, by their numbers. Those that the shelf has dropped are among them. */
  readonly #boxes = new Map<number, WeakRef<Box>>();
  readonly #encoder = new Encoder();
}
