package clients

import (
	"bytes"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// Diff is what a change does to its file, as a unified difference with the secrets masked: the lines around ours belong to others.
func (p Plan) Diff(c Change) string {
	if !c.Changed() {
		return ""
	}
	from, to := c.File, c.File
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	text := udiff.Unified(from, to, string(bytes.ToValidUTF8(c.Before, []byte("\ufffd"))), string(bytes.ToValidUTF8(c.After, []byte("\ufffd"))))
	var hidden []string
	for _, source := range [][]byte{c.Before, c.After} {
		if d, err := p.Client.read(source); err == nil {
			hidden = append(hidden, values(d.all, false)...)
		}
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "@@") || strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") {
			continue
		}
		for _, value := range hidden {
			line = mask(line, value)
		}
		lines[i] = secret.Mask(line)
	}
	return strings.Join(lines, "")
}

// values returns the texts that may be secrets: whatever stands in an environment or among headers, and under names that say so. They are as in
// the file and as decoded.
func values(value any, all bool) []string {
	var found []string
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			text, isText := member.(string)
			inside := all || name == "env" || name == "envs" || name == "environment" || name == "headers" || name == "http_headers"
			if isText && text != "" && !secret.Reference(text) && (all || secret.Pair(name, text)) {
				quoted := quote(text)
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

// mask hides a value in a line. A short one is hidden only where it stands alone: "1" is in many places.
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
