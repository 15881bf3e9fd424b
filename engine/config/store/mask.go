package store

import (
	"bytes"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// MaskSecrets returns a text of the configuration, valid or not, with [secret.Masked] instead of its secrets, for screens. Its
// lines are those of the source. It is not to be written anywhere.
func MaskSecrets(source []byte) []byte {
	found := findSecrets(source)
	if len(found) == 0 {
		return source
	}
	var out bytes.Buffer
	at := 0
	for _, h := range found {
		out.Write(source[at:h.start])
		if h.raw != nil {
			out.WriteString(`"` + secret.Masked + `"`)
		} else {
			out.WriteString(secret.Masked)
		}
		at = h.end
	}
	out.Write(source[at:])
	return out.Bytes()
}
