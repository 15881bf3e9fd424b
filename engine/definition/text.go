package definition

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/yosida95/uritemplate/v3"
)

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
