package store

import "github.com/workbench-mcp/workbench-desktop/engine/config/secret"

// Concealed is a secret in a text of the configuration.
type Concealed struct {
	Start, End int    // its offsets in bytes
	Shown      string // what [MaskSecrets] puts in its place, on one line
}

// Conceal returns the secrets of a text of the configuration, valid or not, in order and without overlaps.
func Conceal(source []byte) []Concealed {
	found := findSecrets(source)
	all := make([]Concealed, len(found))
	for i, h := range found {
		all[i] = Concealed{h.start, h.end, h.quoted(secret.Masked)}
	}
	return all
}

// MaskSecrets returns a text of the configuration, valid or not, with [secret.Masked] instead of its secrets,
// for display. It has the same lines as the source. It must not be written to a file.
func MaskSecrets(source []byte) []byte {
	return conceal(source, findSecrets(source), func(string) string { return secret.Masked })
}
