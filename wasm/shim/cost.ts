// What an object uses of the platform.

/** The counts that a cursor has at its end. */
type Rows = Pick<SqlStorageCursor<Record<string, SqlStorageValue>>, "rowsRead" | "rowsWritten">;

/** Counts what an object has used since it came into memory. */
export class Cost {
  statements = 0;
  /** The rows that its statements have read, by the count that the platform bills. */
  rowsRead = 0;
  rowsWritten = 0;
  /** What was sent to its clients, in bytes. A text counts its UTF-16 units: measuring its bytes would cost a pass over it. */
  down = 0;
  /** What its clients have sent, counted alike. */
  up = 0;

  /** Counts a statement that has run to its end. */
  add({ rowsRead, rowsWritten }: Rows): void {
    this.statements++;
    this.rowsRead += rowsRead;
    this.rowsWritten += rowsWritten;
  }
}
