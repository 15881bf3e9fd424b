package clients

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
)

// Diff returns the change to a file as a unified diff with secrets masked, since the lines around our entry
// belong to others. It was made together with the plan, because it takes a while for a large file.
func (p Plan) Diff(c Change) string { return c.diff }

// diff returns the diff of a change.
func (c Client) diff(change Change) string {
	if !change.Changed() {
		return ""
	}
	from, to := change.File, change.File
	if change.Before == nil {
		from = "/dev/null"
	}
	if change.After == nil {
		to = "/dev/null"
	}
	var hidden []string
	for _, source := range [][]byte{change.Before, change.After} {
		if d, err := c.read(source); err == nil {
			hidden = append(hidden, values(d.all, false)...)
		}
	}
	hide := func(line string) string {
		for _, value := range hidden {
			line = mask(line, value)
		}
		return secret.Mask(line)
	}
	before, after := excerpts(change.Before, change.After, hide)
	lines := strings.SplitAfter(unified.Diff(from, to, before, after), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "@@") && !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "+++ ") {
			lines[i] = hide(line)
		}
	}
	return strings.Join(lines, "")
}

// How much of a long line is shown, in bytes. Some apps write their whole file on one line.
const (
	maxLine   = 400
	lineSides = 100 // of a longer line with the change in it: before and after the change

	// lineLead is how far from the left a change within one line begins at most, so that it is visible.
	lineLead = 60

	// maskedSides is how much of a long text is searched for secrets, since searching takes long. A secret
	// must be longer than that to be cut in two.
	maskedSides = 16 << 10
)

// excerpts returns two texts with their long lines cut so that the difference is visible.
func excerpts(before, after []byte, hide func(string) string) (a, b string) {
	start, most := 0, min(len(before), len(after))
	for start < most && before[start] == after[start] {
		start++
	}
	end := 0
	for end < most-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	lines := bytes.ContainsRune(before[start:len(before)-end], '\n') ||
		bytes.ContainsRune(after[start:len(after)-end], '\n')
	limit, lead := maxLine, lineSides
	if !lines {
		limit, lead = 2*lineLead, lineLead
	}
	cut := func(text []byte, first, last int) string {
		var b strings.Builder
		for line := range strings.Lines(string(text)) {
			body := strings.TrimRight(line, "\r\n")
			ending := line[len(body):]
			switch {
			case ending == "" && last > 0 && len(body) > limit:
				body = hide(body[max(0, len(body)-maskedSides):])
				body = "…" + body[max(0, len(body)-last):]
			case len(body) > maxLine:
				body = hide(body[:min(len(body), maskedSides)])
				body = body[:min(len(body), cmp.Or(first, maxLine))] + "…"
			}
			first = 0
			b.WriteString(body + ending)
		}
		return b.String()
	}
	head, tail := cut(before[:start], 0, lead), cut(before[len(before)-end:], lineSides, 0)
	join := func(text []byte) string {
		return strings.ToValidUTF8(head+cut(text[start:len(text)-end], 0, 0)+tail, "\ufffd")
	}
	return join(before), join(after)
}

// values returns the texts that may be secrets: all values of an environment and of headers, and those whose
// names say so. Each is returned as written in the file and as decoded.
func values(value any, all bool) []string {
	var found []string
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			text, isText := member.(string)
			inside := all || name == "env" || name == "envs" || name == "environment" || name == "headers" ||
				name == "http_headers"
			if isText && text != "" && !secret.Reference(text) &&
				(all || secret.Pair(name, text[:min(len(text), maskedSides)])) {
				quoted := jsonc.Quote(text)
				found = append(found, quoted[1:len(quoted)-1], text)
			}
			if !isText {
				found = append(found, values(member, inside)...)
			}
		}
	case []any:
		for _, item := range value {
			found = append(found, values(item, false)...)
		}
	}
	return found
}

// mask hides a value in a line. A short value is hidden only where it is a whole word: "1", for example, is
// in many places.
func mask(line, value string) string {
	if len(value) >= 8 {
		return strings.ReplaceAll(line, value, secret.Masked)
	}
	for _, quotes := range []string{`"`, "'"} {
		line = strings.ReplaceAll(line, quotes+value+quotes, quotes+secret.Masked+quotes)
	}
	if end := strings.TrimRight(line, " \r\n"); strings.HasSuffix(end, ": "+value) {
		line = strings.TrimSuffix(end, value) + secret.Masked + line[len(end):]
	}
	return line
}
