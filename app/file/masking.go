package file

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// masking replaces each secret of a text by a mask, so that the text can be shown and edited without its secrets. A
// mask cannot be changed. The masked text never leaves the screen.
type masking struct {
	masks  []code.Span // the masks and their positions in the masked text
	values []string    // the secrets behind the masks
}

// known contains the secrets that the file has or had, as they are written there. The structure of a broken text may
// not show which parts are secret, so known secrets are hidden wherever they occur.
type known map[string]bool

// minKnown is the least length in bytes of a known secret that is hidden everywhere.
const minKnown = 6

// scan contains the secrets of a text that can be recognized by their position. It does not change.
type scan struct {
	text   string
	places []store.Concealed
	sound  bool // the text has no syntax errors
}

// newScan searches a text for secrets. That takes a while for a large text.
func newScan(text string) *scan {
	_, problem := config.CheckSyntax([]byte(text))
	return &scan{text, store.Conceal([]byte(text)), problem == nil}
}

// learn adds the secrets of a text.
func (k known) learn(source []byte) { k.take(newScan(string(source))) }

func (k known) take(from *scan) {
	for _, found := range from.places {
		k[from.text[found.Start:found.End]] = true
	}
}

// find returns the secrets of a text in order and without overlaps. With only, it returns only those in k. In a text
// with syntax errors, it also finds every occurrence of the secrets in k.
func (k known) find(in *scan, only bool) []store.Concealed {
	text := in.text
	var all []store.Concealed
	for _, found := range in.places {
		if !only || k[text[found.Start:found.End]] {
			all = append(all, found)
		}
	}
	if in.sound {
		return all
	}
	for value := range k {
		if len(value) < minKnown || strings.Contains(value, secret.Masked) {
			continue
		}
		shown := secret.Masked
		if value[0] == '"' {
			shown = `"` + shown + `"`
		}
		for at := 0; ; {
			i := strings.Index(text[at:], value)
			if i < 0 {
				break
			}
			all = append(all, store.Concealed{Start: at + i, End: at + i + len(value), Shown: shown})
			at += i + len(value)
		}
	}
	slices.SortFunc(all, func(a, b store.Concealed) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	apart := all[:0]
	for _, found := range all {
		if n := len(apart); n == 0 || found.Start >= apart[n-1].End {
			apart = append(apart, found)
		} else if found.End > apart[n-1].End { // overlapping secrets are hidden as one
			apart[n-1].End, apart[n-1].Shown = found.End, secret.Masked
		}
	}
	return apart
}

// maskText returns a text without its secrets.
func (k known) maskText(text string) string {
	shown, _ := k.mask(text, false)
	return shown
}

// mask returns a text without its secrets, and the masks. With only, it hides only known secrets.
func (k known) mask(text string, only bool) (string, masking) {
	return k.maskScanned(newScan(text), only)
}

func (k known) maskScanned(in *scan, only bool) (string, masking) {
	text := in.text
	var m masking
	var shown strings.Builder
	at := 0
	for _, found := range k.find(in, only) {
		value := text[found.Start:found.End]
		shown.WriteString(text[at:found.Start])
		start := shown.Len()
		shown.WriteString(found.Shown)
		m.masks = append(m.masks, code.Span{Start: start, End: shown.Len()})
		m.values = append(m.values, value)
		at = found.End
	}
	shown.WriteString(text[at:])
	return shown.String(), m
}

// unmask returns the text with its secrets. Typing may have moved the masks. unmask fails if a mask is missing or is
// not where it should be, because such a text cannot be restored.
func (m masking) unmask(shown string, masks []code.Span) (text string, moved masking, ok bool) {
	if len(masks) != len(m.values) {
		return "", m, false
	}
	var out strings.Builder
	at := 0
	for i, mask := range masks {
		if mask.Start < at || mask.End > len(shown) || strings.Trim(shown[mask.Start:mask.End], `"`) != secret.Masked {
			return "", m, false
		}
		out.WriteString(shown[at:mask.Start])
		out.WriteString(m.values[i])
		at = mask.End
	}
	out.WriteString(shown[at:])
	return out.String(), masking{masks, m.values}, true
}

// shown returns the position in the masked text for a byte of the text. For a byte within a secret it is the start of
// the mask.
func (m masking) shown(offset int) int {
	moved := 0 // how far the text is ahead of the masked text
	for i, mask := range m.masks {
		start := mask.Start + moved
		switch length := len(m.values[i]); {
		case offset <= start:
			return offset - moved
		case offset < start+length:
			return mask.Start
		default:
			moved += length - (mask.End - mask.Start)
		}
	}
	return offset - moved
}

// changes translates changes of the text to changes of the masked text. It fails if one of them touches a secret.
func (m masking) changes(changes []code.Change) ([]code.Change, bool) {
	moved := slices.Clone(changes)
	for i, change := range changes {
		delta := 0
		for j, mask := range m.masks {
			start := mask.Start + delta
			end := start + len(m.values[j])
			if change.Start < end && start < change.End || start < change.Start && change.Start < end {
				return nil, false
			}
			delta += len(m.values[j]) - (mask.End - mask.Start)
		}
		moved[i].Start, moved[i].End = m.shown(change.Start), m.shown(change.End)
	}
	return moved, true
}

// strayMask finds a mask that was typed or pasted as a value. It looks like a hidden secret, but there is no secret
// behind it.
func strayMask(base []byte, text string) (offset int, found bool) {
	if strings.Count(text, secret.Masked) <= bytes.Count(base, []byte(secret.Masked)) {
		return 0, false
	}
	were := map[string]bool{}
	for line := range strings.Lines(string(base)) {
		were[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(text) {
		if i := strings.Index(line, secret.Masked); i >= 0 && !were[strings.TrimSpace(line)] {
			return offset + i, true
		}
		offset += len(line)
	}
	return strings.LastIndex(text, secret.Masked), true
}

const byteOrderMark = "\ufeff"

// placeAt returns the line and the column of a byte of a text, both counting from 1.
func placeAt(text string, offset int) (line, column int) {
	offset = max(0, min(offset, len(text)))
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	before := text[start:offset]
	if start == 0 {
		before = strings.TrimPrefix(before, byteOrderMark)
	}
	return strings.Count(text[:start], "\n") + 1, utf8.RuneCountInString(before) + 1
}

// offsetOf returns the byte of a text at a line and a column.
func offsetOf(text string, line, column int) int {
	offset := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(text[offset:], '\n')
		if i < 0 {
			return len(text)
		}
		offset += i + 1
	}
	if offset == 0 && strings.HasPrefix(text, byteOrderMark) {
		offset = len(byteOrderMark)
	}
	for ; column > 1 && offset < len(text) && text[offset] != '\n'; column-- {
		_, size := utf8.DecodeRuneInString(text[offset:])
		offset += size
	}
	return offset
}
