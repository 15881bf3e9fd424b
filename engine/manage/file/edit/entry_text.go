package edit

import (
	"bytes"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// ServerText returns the entry of a server as a person may edit it on its own: the text from the file, with
// its lines moved to the left edge and with \n as line end. [ReplaceServer] puts the text back; an unchanged
// text changes nothing in the file.
func ServerText(source []byte, toolbox, server string) (string, error) {
	d, err := newDraft(source)
	if err != nil {
		return "", err
	}
	entry, err := d.need(serverPath(toolbox, server))
	if err != nil {
		return "", err
	}
	return entryText(d.text.Text(), entry.First(), entry.Span), nil
}

// ServerTextOf is like [ServerText] for a file that has already been parsed. For a large file it takes a
// hundredth of the time.
func ServerTextOf(document *config.Document, toolbox, server string) (string, error) {
	if at, ok := document.ServerSpan(toolbox, server); ok {
		line := bytes.LastIndexByte(document.Source[:at.Name], '\n') + 1 // the text before it does not matter
		return entryText(string(document.Source[line:at.End]), at.Name-line,
			jsonc.Span{Start: at.Start - line, End: at.End - line}), nil
	}
	return ServerText(document.Source, toolbox, server) // ServerText returns the reason
}

// entryText returns an entry with its indentation removed. name is the offset of its name, whose line has the
// same indentation.
func entryText(text string, name int, value jsonc.Span) string {
	indent := jsonc.Indentation(text, name)
	lines := strings.Split(text[value.Start:value.End], "\n")
	for i, line := range lines {
		lines[i] = shown(line, i, indent)
	}
	return strings.Join(lines, "\n")
}

// shown returns a line of an entry without the indentation.
func shown(line string, i int, indent string) string {
	line = strings.TrimSuffix(line, "\r")
	if i > 0 && strings.TrimSpace(line) != "" {
		line = strings.TrimPrefix(line, indent)
	}
	return line
}

// fit turns text that a person edited on its own into text for the place of an entry. Unchanged lines at the
// beginning and the end keep their bytes.
func (d *draft) fit(entry *jsonc.Node, text string) string {
	indent := jsonc.Indentation(d.text.Text(), entry.First())
	have := strings.SplitAfter(entry.Raw(), "\n")
	want := strings.SplitAfter(text, "\n")
	same := func(i, j int) bool {
		return (i == 0) == (j == 0) && (i == len(have)-1) == (j == len(want)-1) &&
			shown(strings.TrimSuffix(have[i], "\n"), i, indent) == strings.TrimSuffix(strings.TrimSuffix(want[j], "\n"), "\r")
	}
	top := 0
	for top < len(have) && top < len(want) && same(top, top) {
		top++
	}
	bottom := 0
	for bottom < len(have)-top && bottom < len(want)-top && same(len(have)-1-bottom, len(want)-1-bottom) {
		bottom++
	}
	var b strings.Builder
	for i, line := range want {
		switch rest := len(want) - i; {
		case i < top:
			b.WriteString(have[i])
			continue
		case rest <= bottom:
			b.WriteString(have[len(have)-rest])
			continue
		}
		body, ended := strings.CutSuffix(line, "\n")
		body = strings.TrimSuffix(body, "\r")
		if i > 0 && strings.TrimSpace(body) != "" {
			b.WriteString(indent)
		}
		b.WriteString(body)
		if ended {
			b.WriteString(d.text.NewLine())
		}
	}
	return b.String()
}
