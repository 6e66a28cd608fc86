// The functions of wasi_snapshot_preview1 that Go's runtime and net/http need. There are no files, no arguments and no
// environment.

/** What the runtime needs from the host. */
export interface World {
  /** Milliseconds since 1970. */
  now(): number;
  /** Fills the bytes with randomness for the runtime itself, such as the seeds of its maps. */
  seed(bytes: Uint8Array): void;
  /** Receives the text of standard output and standard error, in pieces of any length. */
  write(text: string): void;
}

const success = 0;
const badFile = 8;

/** The longest wait that returns at once, in nanoseconds. The runtime waits for other threads when it dies. */
const longestWait = 1_000_000n;

/** Thrown where the guest ends its own instance: os.Exit, a panic, a fatal error. */
export class Exit extends Error {
  override name = "Exit";

  constructor(code: number) {
    super(`the module exited with code ${code}`);
  }
}

export function wasi(memory: () => ArrayBuffer, world: World): WebAssembly.ModuleImports {
  const view = () => new DataView(memory());
  const text = new TextDecoder();
  let last = 0n;

  // Every reading is at least a nanosecond later than the previous one. Go's runtime aborts on a clock of zero, and takes a
  // clock that stands still (as workerd's does while code runs) for broken.
  const clock = () => {
    const now = BigInt(Math.floor(world.now())) * 1_000_000n;
    last = now > last ? now : last + 1n;
    return last;
  };

  return {
    args_sizes_get: (count: number, size: number) => zero(view(), count, size),
    args_get: () => success,
    environ_sizes_get: (count: number, size: number) => zero(view(), count, size),
    environ_get: () => success,
    clock_time_get: (_id: number, _precision: bigint, out: number) => {
      view().setBigUint64(out, clock(), true);
      return success;
    },
    random_get: (ptr: number, length: number) => {
      world.seed(new Uint8Array(memory(), ptr, length));
      return success;
    },
    fd_write: (file: number, vectors: number, count: number, written: number) => {
      if (file !== 1 && file !== 2) return badFile;
      const data = view();
      let total = 0;
      for (let i = 0; i < count; i++) {
        const length = data.getUint32(vectors + 8 * i + 4, true);
        world.write(text.decode(new Uint8Array(memory(), data.getUint32(vectors + 8 * i, true), length)));
        total += length;
      }
      data.setUint32(written, total, true);
      return success;
    },
    proc_exit: (code: number) => {
      throw new Exit(code);
    },
    // Nothing may block, because a goroutine that sleeps inside a step would block every object of the isolate. A short wait
    // returns at once, and the clock is set forward.
    poll_oneoff: (subscriptions: number, events: number, count: number, happened: number) => {
      const data = view();
      const wait = data.getBigUint64(subscriptions + 24, true);
      const isClock = data.getUint8(subscriptions + 8) === 0;
      if (count !== 1 || !isClock || wait > longestWait) throw new Error("the module tried to wait inside a step");
      last = clock() + wait;
      new Uint8Array(memory(), events, 32).fill(0);
      data.setBigUint64(events, data.getBigUint64(subscriptions, true), true);
      data.setUint32(happened, 1, true);
      return success;
    },
    sched_yield: () => success,
    // There are no files. Go looks for time zones in files, and then uses those that it was built with.
    path_open: () => badFile,
    fd_close: () => badFile,
    fd_read: () => badFile,
    fd_seek: () => badFile,
    fd_fdstat_get: () => badFile,
    fd_fdstat_set_flags: () => badFile,
    fd_prestat_get: () => badFile,
    fd_prestat_dir_name: () => badFile,
    fd_filestat_get: () => badFile,
    fd_readdir: () => badFile,
    path_filestat_get: () => badFile,
    path_readlink: () => badFile,
  };
}

function zero(view: DataView, ...places: number[]): number {
  for (const place of places) view.setUint32(place, 0, true);
  return success;
}
