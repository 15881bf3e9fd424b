package definition

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/yosida95/uritemplate/v3"
)

// withoutSurrogates replaces escaped halves of a character, which programs in Python and Rust refuse together
// with the message that has them in it.
func withoutSurrogates(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte(`\ud`)) && !bytes.Contains(raw, []byte(`\uD`)) {
		return raw
	}
	out := bytes.Clone(raw)
	for i := 0; i+1 < len(out); i++ {
		if out[i] != '\\' {
			continue
		}
		first, second := half(out[i:]), rune(-1)
		if first >= 0 && i+12 <= len(out) {
			second = half(out[i+6:])
		}
		switch {
		case first >= 0xd800 && first < 0xdc00 && second >= 0xdc00:
			i += 11
		case first >= 0:
			copy(out[i:], `\ufffd`)
			i += 5
		default:
			i++ // what is escaped may be a backslash
		}
	}
	return out
}

// half returns the escaped half of a character at the beginning of a text; -1 if there is none.
func half(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	code, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	if err != nil || code < 0xd800 || code > 0xdfff {
		return -1
	}
	return rune(code)
}

// overflows reports whether a number is larger than programs can read. Go refuses the whole message then.
func overflows(raw json.RawMessage) bool {
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case c >= '0' && c <= '9':
			begin := i
			exponent := false
			for i < len(raw) && (raw[i] >= '0' && raw[i] <= '9' || bytes.IndexByte([]byte(".eE+-"), raw[i]) >= 0) {
				exponent = exponent || raw[i] == 'e' || raw[i] == 'E'
				i++
			}
			if exponent || i-begin > 300 {
				if _, err := strconv.ParseFloat(string(raw[begin:i]), 64); errors.Is(err, strconv.ErrRange) {
					return true
				}
			}
			i--
		}
	}
	return false
}

// isTemplate reports whether mcp-go can read a URI template.
func isTemplate(text string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	_, err := uritemplate.New(text)
	return text != "" && err == nil
}
