/** A value of SQL. Storage may return an ArrayBuffer, which is encoded like a Uint8Array of its bytes. */
export type Value = null | number | string | Uint8Array | ArrayBuffer;
