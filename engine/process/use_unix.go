//go:build unix

package process

import (
	"bytes"
	"strconv"
)

// numberIn returns a word of a text as a number, 0 if it is none.
func numberIn(text []byte, word int) int64 {
	i := 0
	for field := range bytes.FieldsSeq(text) {
		if i == word {
			number, _ := strconv.ParseInt(string(field), 10, 64)
			return number
		}
		i++
	}
	return 0
}
