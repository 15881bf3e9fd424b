package store

import (
	"bytes"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// Concealed is a secret in a text of the configuration.
type Concealed struct {
	Start, End int    // its bytes
	Shown      string // what [MaskSecrets] puts in its place, on one line
}

// Conceal returns the secrets of a text of the configuration, valid or not, in order and apart from each other.
func Conceal(source []byte) []Concealed {
	found := findSecrets(source)
	all := make([]Concealed, len(found))
	for i, h := range found {
		all[i] = Concealed{h.start, h.end, secret.Masked}
		if h.raw != nil {
			all[i].Shown = `"` + secret.Masked + `"`
		}
	}
	return all
}

// MaskSecrets returns a text of the configuration, valid or not, with [secret.Masked] instead of its secrets, for screens. Its
// lines are those of the source. It is not to be written anywhere.
func MaskSecrets(source []byte) []byte {
	found := Conceal(source)
	if len(found) == 0 {
		return source
	}
	var out bytes.Buffer
	at := 0
	for _, c := range found {
		out.Write(source[at:c.Start])
		out.WriteString(c.Shown)
		at = c.End
	}
	out.Write(source[at:])
	return out.Bytes()
}
