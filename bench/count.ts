// Counts what objects ask of their storage, on all sides alike: the bench's Workers wrap the platform's own methods. A Worker
// whose time is measured does not count.

/** What the objects of one class have asked of their storage since the Worker started. */
export interface Count {
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  /** Alarms set or deleted, and keys put or deleted: the platform bills each as a row written, and no cursor shows it. */
  unseen: number;
  /** The size of the database that was used last, in bytes. */
  size: number;
}

/** What wrangler dev adds to every root, and a deployment does not: a table of one page with the object's name. */
const page = 4096;

const counts = new Map<string, Count>();

/** Counts the storage of an object from now on, under the name of its class. It is called in the object's constructor. */
export function count({ storage }: DurableObjectState, name: string): void {
  const to = counts.get(name) ?? { statements: 0, rowsRead: 0, rowsWritten: 0, unseen: 0, size: 0 };
  counts.set(name, to);
  const { sql } = storage;
  let wranglers = 0;
  watch(sql, "exec", (result, statement) => {
    if (String(statement).includes("__miniflare_do_name")) {
      wranglers = page;
      return;
    }
    const cursor = result as SqlStorageCursor<Record<string, SqlStorageValue>>;
    to.statements++;
    // The object reads its cursor to the end in the same task, so the counts are final then.
    queueMicrotask(() => {
      to.rowsRead += cursor.rowsRead;
      to.rowsWritten += cursor.rowsWritten;
      to.size = sql.databaseSize - wranglers;
    });
  });
  const unseen = () => void to.unseen++;
  for (const method of ["setAlarm", "deleteAlarm", "put", "delete"] as const) watch(storage, method, unseen);
  for (const method of ["put", "delete"] as const) watch(storage.kv, method, unseen);
}

/** The counts of each class. */
export const counted = (): Record<string, Count> => Object.fromEntries(counts);

/** Lets a function see what a method returns. */
function watch<K extends string>(
  of: Record<K, unknown>,
  name: K,
  see: (result: unknown, argument: unknown) => void,
): void {
  const method = (of[name] as (...args: unknown[]) => unknown).bind(of);
  const seen = (...args: unknown[]) => {
    const result = method(...args);
    see(result, args[0]);
    return result;
  };
  Object.defineProperty(of, name, { value: seen });
}
