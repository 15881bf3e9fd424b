package edit

import (
	"bytes"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// ServerText returns the entry of a server as a person may edit it for itself: as it is in the file, but with
// the lines moved to the edge of the page and line ends as \n. [ReplaceServer] puts it back;
// unchanged, it changes nothing.
func ServerText(source []byte, toolbox, server string) (string, error) {
	d, err := newDraft(source)
	if err != nil {
		return "", err
	}
	entry, err := d.need(serverPath(toolbox, server))
	if err != nil {
		return "", err
	}
	return entryText(d.Text(), entry.First(), entry.Span), nil
}

// ServerTextOf is ServerText of a file that has been read already. Of a large one that takes a hundredth of the time.
func ServerTextOf(document *config.Document, toolbox, server string) (string, error) {
	if at, ok := document.ServerSpan(toolbox, server); ok {
		line := bytes.LastIndexByte(document.Source[:at.Name], '\n') + 1 // the text before it does not matter
		return entryText(string(document.Source[line:at.End]), at.Name-line, jsonc.Span{Start: at.Start - line, End: at.End - line}), nil
	}
	return ServerText(document.Source, toolbox, server) // it knows why not
}

// entryText is an entry as it is shown for itself. Its line is indented as its name is.
func entryText(text string, name int, value jsonc.Span) string {
	indent := jsonc.Indentation(text, name)
	lines := strings.Split(text[value.Start:value.End], "\n")
	for i, line := range lines {
		lines[i] = shown(line, i, indent)
	}
	return strings.Join(lines, "\n")
}

// shown is a line of an entry as it is shown for itself.
func shown(line string, i int, indent string) string {
	line = strings.TrimSuffix(line, "\r")
	if i > 0 && strings.TrimSpace(line) != "" {
		line = strings.TrimPrefix(line, indent)
	}
	return line
}

// fit makes of a text that was shown for itself what is to be put in the place of an entry. Lines at the
// beginning and the end that are as they were keep their bytes.
func (d *draft) fit(entry *jsonc.Node, text string) string {
	indent := jsonc.Indentation(d.Text(), entry.First())
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
			b.WriteString(d.NewLine())
		}
	}
	return b.String()
}
