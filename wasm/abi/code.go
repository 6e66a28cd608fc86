package abi

// The codes of msgpack that the formats use. Of each family the first is for the shortest length or
// number, and the others follow it: codeText8, codeText16 and codeText32.
const (
	maxFixed          = 0x7f // the largest number that is its own code
	codeFixedList     = 0x90 // and the length
	codeFixedText     = 0xa0 // and the length
	codeNil           = 0xc0
	codeNone          = 0xc1 // begins no value
	codeFalse         = 0xc2
	codeTrue          = 0xc3
	codeBytes8        = 0xc4
	codeBytes16       = 0xc5
	codeBytes32       = 0xc6
	codeFloat         = 0xca
	codeDouble        = 0xcb
	codeUint8         = 0xcc
	codeUint16        = 0xcd
	codeUint32        = 0xce
	codeUint64        = 0xcf
	codeInt8          = 0xd0
	codeInt16         = 0xd1
	codeInt32         = 0xd2
	codeInt64         = 0xd3
	codeText8         = 0xd9
	codeText16        = 0xda
	codeText32        = 0xdb
	codeList16        = 0xdc
	codeList32        = 0xdd
	codeFixedNegative = 0xe0 // the numbers from -32 to -1 are their own codes

	maxFixedList = 15
	maxFixedText = 31
)
