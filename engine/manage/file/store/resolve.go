package store

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Secret is the place of a secret in a version, whose text in the history does not contain it.
type Secret struct {
	// Path names the value within the document, as in config.Diagnostic.
	Path string

	// Variable is the variable that the restored text refers to instead, if the secret must be typed again.
	Variable string
}

// known has the secrets that are known in clear.
type known struct {
	byHash map[string]hidden
	byPath map[string][]byte // the literals of the current file
}

// learn collects what is needed to resolve a text. It searches the current file and then the other sources,
// until all secrets are found, since there may be many long sources. Remembered secrets come last.
func learn(hasher hasher, text, present []byte, remembered map[string]hidden, others ...[]byte) known {
	k := known{map[string]hidden{}, map[string][]byte{}}
	wanted := map[string]bool{}
	for _, m := range placeholder.FindAllSubmatch(text, -1) {
		wanted[string(m[1])] = true
	}
	if len(wanted) == 0 {
		return k
	}
	if document := jsonc.Parse(present); document.Broken() == nil {
		for l := range literals(document) {
			if !l.name && l.kind == jsonc.String && l.text != "" {
				k.byPath[l.at.String()] = []byte(l.raw)
			}
		}
	}
	for _, source := range append([][]byte{present}, others...) {
		for _, h := range findSecrets(source) {
			hash := hasher.secret(h.value)
			if old, ok := k.byHash[hash]; !ok || old.raw == nil {
				k.byHash[hash] = h
			}
			delete(wanted, hash)
		}
		if len(wanted) == 0 {
			break
		}
	}
	for hash := range wanted {
		if h, ok := remembered[hash]; ok {
			k.byHash[hash] = h
		}
	}
	return k
}

// resolve puts the secrets back into the text of a version.
//
// A placeholder becomes its value, if that is known. Otherwise it becomes the value at the same place of the
// current file (kept), since a token that was renewed is better than none. If there is no such value either,
// it becomes a reference to a variable that is not set (missing): the file stays valid, and the engine
// refuses to start that one server and says why. If the placeholder stayed, it would be sent to the server as
// if it were the secret.
func (k known) resolve(text []byte) (resolved []byte, kept, missing []Secret) {
	var spots []literal
	if document := jsonc.Parse(text); document.Broken() == nil {
		spots = slices.Collect(literals(document))
	}
	var out bytes.Buffer
	at := 0
	for _, m := range placeholder.FindAllSubmatchIndex(text, -1) {
		start, end := m[0], m[1]
		value, found := k.byHash[string(text[m[2]:m[3]])]
		i, _ := slices.BinarySearchFunc(spots, end, func(l literal, end int) int { return cmp.Compare(l.End, end) })
		if i == len(spots) || start < spots[i].Start { // in a comment, where the placeholder can stay
			out.Write(text[at:start])
			if found {
				out.WriteString(value.value)
			} else {
				out.Write(text[start:end])
			}
			at = end
			continue
		}
		l := spots[i]
		whole := l.raw == `"`+string(text[start:end])+`"`
		present, there := k.byPath[l.at.String()]
		var replacement []byte
		switch {
		case found && whole && value.raw != nil:
			replacement = value.raw
		case found:
			replacement = []byte(jsonc.Quote(value.value))
		case whole && there && !placeholder.Match(present):
			replacement = present
			kept = append(kept, Secret{Path: l.at.String()})
		default:
			name := variableFor(l.at)
			replacement = []byte(jsonc.Quote("${" + name + "}"))
			missing = append(missing, Secret{l.at.String(), name})
		}
		if whole {
			start, end = l.Start, l.End
		} else {
			replacement = replacement[1 : len(replacement)-1]
		}
		out.Write(text[at:start])
		out.Write(replacement)
		at = end
	}
	out.Write(text[at:])
	return out.Bytes(), kept, missing
}

var notInNames = lazyregexp.New(`[^A-Z0-9]+`)

// variableFor returns the name of a variable that is certainly not set and that says what is missing.
func variableFor(at jsonc.Path) string {
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToUpper(at.Key()), "_"), "_")
	if len(at) > 3 { // two servers may both have a TOKEN
		server := strings.Trim(notInNames.ReplaceAllString(strings.ToUpper(at[3].Key), "_"), "_")
		name = strings.Trim(server+"_"+name, "_")
	}
	return strings.TrimSuffix("RESTORE_ME_"+name, "_")
}
