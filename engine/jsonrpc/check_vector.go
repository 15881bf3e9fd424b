//go:build goexperiment.simd && amd64 && go1.26 && !go1.27

package jsonrpc

import (
	"encoding/binary"
	"math/bits"
	"simd/archsimd"
	"unicode/utf8"
)

// This file checks long strings 64 bytes at a time with vector instructions, in
// Go: a method of a vector is one instruction or a few. The package archsimd is
// an experiment, so this is compiled only with GOEXPERIMENT=simd, and only by
// the Go version that it was written for. All other builds check these strings
// as they do the others, with the same outcome.

// blockSize is how many bytes are checked at once.
const blockSize = 64

// hasVectors reports whether the processor has the instructions.
func hasVectors() bool { return archsimd.X86.AVX2() }

// checkLong is checkString for strings that may be long, with at least two bytes
// before the quote at i, which are ASCII as all that is around a string.
func (c *checker) checkLong(i int) int {
	d := c.d
	i++
	for range 2 { // most strings are short
		if stops := stopsIn(binary.LittleEndian.Uint64(d[i:])); stops != 0 {
			if i += bits.TrailingZeros64(stops) / 8; d[i] == '"' {
				return i + 1
			}
			break
		}
		i += 8
	}
	next, ended, ascii := checkVectors(d, i)
	if !ascii && !c.notUTF8 {
		c.notUTF8 = !validUTF8(d, i, next)
	}
	archsimd.ClearAVXUpperBits() // instructions that are older than AVX get slow without
	if !ended {
		return c.checkWords(next - 1)
	}
	return next
}

// checkVectors checks blocks of a string from i on, but for UTF-8. With ended, next
// is what checkString returns. Without, the string goes on there, in not much
// more than a block.
func checkVectors(d []byte, i int) (next int, ended, ascii bool) {
	var (
		backslash = archsimd.BroadcastUint8x32('\\')
		quote     = archsimd.BroadcastUint8x32('"')
		b, r      = archsimd.BroadcastUint8x32('b'), archsimd.BroadcastUint8x32('r')
		space     = archsimd.BroadcastInt8x32(' ')
		// What may follow a backslash, by its low four bits, but for b and r.
		plain   = twice(&[16]uint8{1, 0, '"', 0, 't', 0, 'f', 0, 0, 0, 0, 0, '\\', 0, 'n', '/'})
		zero    archsimd.Int8x32
		high    uint64 // bytes that aren't ASCII, of any block
		escapes uint64 // 1 when the last byte of the block before escapes the first of this one
	)
	for ; i+blockSize <= len(d); i += blockSize {
		block := (*[blockSize]uint8)(d[i:])
		v, w := archsimd.LoadUint8x32((*[32]uint8)(block[:32])), archsimd.LoadUint8x32((*[32]uint8)(block[32:]))
		odd := bitsOf(space.Greater(v.AsInt8x32()), space.Greater(w.AsInt8x32())) // controls, and what isn't ASCII
		backslashes := bitsOf(v.Equal(backslash), w.Equal(backslash))
		end := bitsOf(v.Equal(quote), w.Equal(quote))
		if odd|backslashes|end|escapes == 0 {
			continue
		}
		var escaped uint64
		escaped, escapes = escapedBy(backslashes, escapes)
		inside := ^uint64(0) // the bytes of the string, with the quote that ends it
		if end &^= escaped; end != 0 {
			inside = end ^ (end - 1)
		}
		if odd &= inside; odd != 0 {
			here := bitsOf(zero.Greater(v.AsInt8x32()), zero.Greater(w.AsInt8x32()))
			if odd&^here != 0 {
				return -1, true, true
			}
			high |= here
		}
		known := bitsOf(plain.PermuteOrZeroGrouped(v.AsInt8x32()).Equal(v).Or(v.Equal(b)).Or(v.Equal(r)),
			plain.PermuteOrZeroGrouped(w.AsInt8x32()).Equal(w).Or(w.Equal(b)).Or(w.Equal(r)))
		for others := escaped &^ known & inside; others != 0; others &= others - 1 {
			if checkHexEscape(d, i+bits.TrailingZeros64(others)-1) < 0 {
				return -1, true, true
			}
		}
		if end != 0 {
			return i + bits.TrailingZeros64(end) + 1, true, high == 0
		}
	}
	i -= int(escapes)
	return i - runeBegun(d[:i]), false, high == 0
}

// runeBegun returns how many bytes at the end of d are the beginning of a rune, or a whole one.
func runeBegun(d []byte) int {
	for k := 1; k <= 3; k++ {
		switch b := d[len(d)-k]; {
		case b >= 0xc0:
			return k
		case b < utf8.RuneSelf:
			return 0
		}
	}
	return 0
}

// bitsOf returns a mask of a block as bits, the first byte's lowest.
func bitsOf(v, w archsimd.Mask8x32) uint64 {
	return uint64(v.ToBits()) | uint64(w.ToBits())<<32
}

// twice returns a table for both halves of a vector.
func twice(table *[16]uint8) archsimd.Uint8x32 {
	half := archsimd.LoadUint8x16(table)
	var whole archsimd.Uint8x32
	return whole.SetLo(half).SetHi(half)
}

// escapedBy returns which bytes backslashes escape. escapes is 1 when the byte
// before the block escapes the first, and comes back as that for the next block.
// In a row of backslashes every other one escapes, beginning with the first.
// Subtracting finds that: see "Parsing Gigabytes of JSON per Second" by Langdale and Lemire.
func escapedBy(backslashes, escapes uint64) (escaped, next uint64) {
	const odd = 0xaaaaaaaaaaaaaaaa
	free := backslashes &^ escapes
	x := ((free<<1 | odd) - free) ^ odd
	return x ^ (backslashes | escapes), (x & backslashes) >> 63
}

// What can be wrong with two bytes of which the first begins or goes on with a
// rune, and two of these bits that more than one of its tables needs.
const (
	tooShort     = 1 << 0 // a rune ends too soon
	tooLong      = 1 << 1 // a byte goes on with a rune that has ended
	overlong3    = 1 << 2 // three bytes for what fits in two
	tooLarge     = 1 << 3 // above U+10FFFF
	surrogate    = 1 << 4
	overlong2    = 1 << 5
	overlong4    = 1 << 6 // or too large
	twoGoOn      = 1 << 7 // two bytes that go on; only right behind those that begin longer runes
	withAnyFirst = tooShort | tooLong | twoGoOn
	tooLargeToo  = withAnyFirst | tooLarge | overlong4
)

// validUTF8 reports whether the bytes from i to end, with at least three before
// them, are valid UTF-8. It is the algorithm of "Validating UTF-8 In Less Than
// One Instruction Per Byte" by Keiser and Lemire: what is wrong by all three
// tables is wrong.
func validUTF8(d []byte, i, end int) bool {
	var (
		// What may be wrong with two bytes, by the high and the low four bits of the first and the high ones of the second.
		first = twice(&[16]uint8{tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, twoGoOn, twoGoOn, twoGoOn, twoGoOn,
			tooShort | overlong2, tooShort, tooShort | overlong3 | surrogate, tooShort | tooLarge | overlong4})
		firstLow = twice(&[16]uint8{withAnyFirst | overlong2 | overlong3 | overlong4, withAnyFirst | overlong2, withAnyFirst, withAnyFirst,
			withAnyFirst | tooLarge, tooLargeToo, tooLargeToo, tooLargeToo, tooLargeToo, tooLargeToo, tooLargeToo, tooLargeToo, tooLargeToo,
			tooLargeToo | surrogate, tooLargeToo, tooLargeToo})
		second = twice(&[16]uint8{tooShort, tooShort, tooShort, tooShort, tooShort, tooShort, tooShort, tooShort,
			tooLong | overlong2 | twoGoOn | overlong3 | overlong4, tooLong | overlong2 | twoGoOn | overlong3 | tooLarge,
			tooLong | overlong2 | twoGoOn | surrogate | tooLarge, tooLong | overlong2 | twoGoOn | surrogate | tooLarge,
			tooShort, tooShort, tooShort, tooShort})
		low    = archsimd.BroadcastUint8x32(0x0f)
		third  = archsimd.BroadcastUint8x32(0xe0 - 0x80) // from here on a rune has a third byte
		fourth = archsimd.BroadcastUint8x32(0xf0 - 0x80)
		top    = archsimd.BroadcastUint8x32(0x80)
		right  = archsimd.BroadcastUint16x16(1 << 12) // high half of the product: four bits to the right
		errors archsimd.Uint8x32
	)
	for ; i+blockSize <= end; i += blockSize {
		window := (*[3 + blockSize]uint8)(d[i-3:]) // what comes before counts
		v0, v1 := archsimd.LoadUint8x32((*[32]uint8)(window[:])), archsimd.LoadUint8x32((*[32]uint8)(window[32:]))
		w0, w1 := archsimd.LoadUint8x32((*[32]uint8)(window[3:])), archsimd.LoadUint8x32((*[32]uint8)(window[35:]))
		if v0.Or(v1).Or(w1).And(top).IsZero() {
			continue // ASCII
		}
		b0, b1 := archsimd.LoadUint8x32((*[32]uint8)(window[2:])), archsimd.LoadUint8x32((*[32]uint8)(window[34:]))
		wrong0 := first.PermuteOrZeroGrouped(b0.AsUint16x16().MulHigh(right).AsUint8x32().And(low).AsInt8x32()).
			And(firstLow.PermuteOrZeroGrouped(b0.And(low).AsInt8x32())).
			And(second.PermuteOrZeroGrouped(w0.AsUint16x16().MulHigh(right).AsUint8x32().And(low).AsInt8x32()))
		wrong1 := first.PermuteOrZeroGrouped(b1.AsUint16x16().MulHigh(right).AsUint8x32().And(low).AsInt8x32()).
			And(firstLow.PermuteOrZeroGrouped(b1.And(low).AsInt8x32())).
			And(second.PermuteOrZeroGrouped(w1.AsUint16x16().MulHigh(right).AsUint8x32().And(low).AsInt8x32()))
		goesOn0 := v0.SubSaturated(fourth).Or(archsimd.LoadUint8x32((*[32]uint8)(window[1:])).SubSaturated(third)).And(top)
		goesOn1 := v1.SubSaturated(fourth).Or(archsimd.LoadUint8x32((*[32]uint8)(window[33:])).SubSaturated(third)).And(top)
		errors = errors.Or(goesOn0.Xor(wrong0)).Or(goesOn1.Xor(wrong1))
	}
	return errors.IsZero() && utf8.Valid(d[i-runeBegun(d[:i]):end])
}
