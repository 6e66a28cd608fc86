// The codes of msgpack that the ABI uses, as in ../abi/code.go. Of each family the first is for the shortest length or number,
// and the others follow it: code.text8, one for 16 bits and one for 32.
export const code = {
  /** The largest number that is its own code. */
  maxFixed: 0x7f,
  /** The code and the length. */
  fixedList: 0x90,
  fixedText: 0xa0,
  nil: 0xc0,
  false: 0xc2,
  true: 0xc3,
  bytes8: 0xc4,
  bytes32: 0xc6,
  float: 0xca,
  double: 0xcb,
  uint8: 0xcc,
  uint64: 0xcf,
  int8: 0xd0,
  int64: 0xd3,
  text8: 0xd9,
  text32: 0xdb,
  list16: 0xdc,
  list32: 0xdd,
  /** The numbers from -32 to -1 are their own codes. */
  fixedNegative: 0xe0,

  maxFixedList: 15,
  maxFixedText: 31,
} as const;
