package config

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Parse diagnoses a configuration file. It takes any bytes, never fails and looks at nothing else:
// not at the environment, for which there is [Document.CheckEnvironment], and not at the disk. The
// name is the file's in messages. The document owns source from now on.
func Parse(name string, source []byte) *Document {
	return parse(name, source, maxChecked)
}

// parse is Parse with another limit of how many bytes are diagnosed to try fixes.
func parse(name string, source []byte, budget int) *Document {
	d := diagnoser{source: source, budget: budget}
	document := &Document{Name: name, Source: source}
	tree, whole := d.parse()
	if whole {
		document.tree = tree
	}
	document.Config = d.document(tree)
	document.texts = d.texts
	document.worth = d.worth()
	d.settle()
	document.Diagnostics = d.finish()
	return document
}

// maxDiagnostics is how many errors, and how many warnings, a document has at most. A person fixes
// some and looks again.
const maxDiagnostics = 1000

// diagnoser collects what there is to say about one document.
type diagnoser struct {
	source   []byte
	shift    int // the length of the byte order mark, which the tree doesn't know of
	found    []Diagnostic
	counts   map[Severity]int
	texts    []text
	inServer *Server // whose texts are being read
	isText   bool    // the source is UTF-8

	// What has been done to the source to pass over its syntax errors, in the order in which it was
	// done, and the places in the source.
	repaired []Change
	around   []Change

	syntaxErrors int
	unread       int // bytes behind the last syntax error, when it could not be passed over

	long      []member // servers whose names leave little room for those of their tools
	mild      bool     // what is diagnosed is not in force, so nothing about it is an error
	unit      unit     // what is being diagnosed
	proposals []proposal
	budget    int  // bytes that may still be diagnosed to try fixes
	trying    bool // a fix is being tried, so no more are wanted
}

// say adds a diagnostic about the bytes from start to end of the source. It returns the one that was
// added, to be used at once, or nil.
func (d *diagnoser) say(severity Severity, start, end int, at *place, message, hint string) *Diagnostic {
	if d.mild && severity == SeverityError {
		severity = SeverityWarning
	}
	if !d.certain(severity, start, end) {
		return nil
	}
	if d.counts == nil {
		d.counts = map[Severity]int{}
	}
	d.counts[severity]++
	if d.trying {
		return nil
	}
	count := d.counts[severity]
	switch {
	case count == maxDiagnostics:
		at, message, hint = nil, fmt.Sprintf("there are more %ss than can be listed", severity), "correct the ones above, then check the file again"
	case count > maxDiagnostics:
		return nil
	}
	start = max(0, min(start, len(d.source)))
	end = max(start, min(end, len(d.source)))
	if d.isText { // a repaired text may have a token end within a character of the source
		for start < len(d.source) && !utf8.RuneStart(d.source[start]) {
			start++
		}
		for end < len(d.source) && (end < start || !utf8.RuneStart(d.source[end])) {
			end++
		}
	}
	d.found = append(d.found, Diagnostic{
		Severity: severity, Path: at.String(), Start: start, End: end, Message: message, Hint: hint,
	})
	if count == maxDiagnostics {
		return nil
	}
	return &d.found[len(d.found)-1]
}

// original returns the place in the source of a place in the text that was parsed.
func (d *diagnoser) original(at int) int { return d.shift + originalPlace(d.repaired, at) }

// certain tells whether a problem is the user's. After syntax errors it may be one that came of our
// guessing, and what is only a warning can wait until they are corrected.
func (d *diagnoser) certain(severity Severity, start, end int) bool {
	if len(d.repaired) == 0 {
		return true
	}
	return severity == SeverityError && !slices.ContainsFunc(d.around, func(c Change) bool {
		// What stands nowhere in the source has been put there.
		return start < max(c.End, c.Start+1) && c.Start < end || start == end && c.Start <= start && start <= c.End
	})
}

func (d *diagnoser) finish() []Diagnostic {
	SortDiagnostics(d.found)
	locateDiagnostics(d.source, d.found)
	return d.found
}

// parse returns the syntax tree, or nil when there is none, and whether it is exactly that of the
// source.
func (d *diagnoser) parse() (tree *hujson.Value, whole bool) {
	body, ok := d.text()
	if !ok {
		return nil, false
	}
	d.isText = true
	body, whole, ok = d.syntax(body)
	if !ok {
		return nil, false
	}
	parsed, err := hujson.Parse(body)
	if err != nil {
		// hujson wants a newline after a comment at the end of the file.
		parsed, err = hujson.Parse(append(bytes.Clone(body), '\n'))
	}
	if err != nil { // the two parsers disagree, which the fuzz test looks for
		d.say(SeverityError, d.shift, d.shift, nil, "the file is not valid JSON: "+err.Error(), "")
		return nil, false
	}
	return &parsed, whole
}

// text checks that the source is text at all, and returns it without byte order mark.
func (d *diagnoser) text() ([]byte, bool) {
	source := d.source
	d.unit = unit{wholeFile, 0, len(source)}
	fail := func(start, end int, message, hint string) ([]byte, bool) {
		d.say(SeverityError, start, end, nil, message, hint)
		return nil, false
	}
	if len(source) > MaxSize {
		return fail(0, 0, fmt.Sprintf("the file is larger than %d MiB", MaxSize>>20), "check that this is the right file; a configuration is rarely larger than a few pages")
	}
	if bytes.HasPrefix(source, []byte("\xff\xfe")) || bytes.HasPrefix(source, []byte("\xfe\xff")) {
		return fail(0, 2, "the file is saved as UTF-16 text, which cannot be read", `save it again as "UTF-8" (in Notepad: Save as…, Encoding: UTF-8)`)
	}
	if bytes.HasPrefix(source, byteOrderMark) {
		d.shift = len(byteOrderMark)
		problem := d.say(SeverityWarning, 0, d.shift, nil, "the file begins with an invisible byte order mark (BOM)", `it does no harm here, but other programs may stumble; save the file as "UTF-8" without BOM`)
		if problem != nil && !d.trying {
			end := d.shift
			for bytes.HasPrefix(source[end:], byteOrderMark) { // some programs add one each time
				end += len(byteOrderMark)
			}
			problem.Fix = &Fix{"Remove the byte order mark", []Change{{Start: 0, End: end}}}
		}
	}
	body := source[d.shift:]
	if i := bytes.IndexByte(body, 0); i >= 0 {
		if i < 4 {
			return fail(d.shift+i, d.shift+i+1, "the file is saved as UTF-16 text or is no text at all", `save it again as "UTF-8"`)
		}
		return fail(d.shift+i, d.shift+i+1, "the file has a zero byte here, so it is damaged or is no text", "put a good copy of the file in its place, or delete the byte")
	}
	if i := invalidUTF8(body); i >= 0 {
		return fail(d.shift+i, d.shift+i+1, fmt.Sprintf("the byte 0x%02X here is not UTF-8 text", body[i]), `type the character again and save the file as "UTF-8"`)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return fail(0, 0, "the file is empty", `the smallest configuration is {"toolboxes": {}}`)
	}
	return body, true
}

// withoutMark returns a source without its byte order mark.
func withoutMark(source []byte) []byte { return bytes.TrimPrefix(source, byteOrderMark) }

// invalidUTF8 returns the place of the first byte that isn't UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
