package mcpserver

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// compact returns the shortest form of an answer, for a toolbox whose tools do not fit even with only names and first
// sentences. It lists the tools by server: with as much of their descriptions as fits, or only their names, or only
// their number.
func (r *reduction) compact() []byte {
	v := r.view
	v.noInstructions = true
	v.maxDescription = 200
	type form struct {
		left   string
		tools  func([]byte, *toolbox.Opened) []byte
		naming bool
	}
	var forms []form
	for _, most := range []int{120, 80, 50, 30} {
		forms = append(forms, form{"all but names and the beginning of descriptions", tersely(most), true})
	}
	forms = append(forms, form{"all but the names", appendNames, true},
		form{"all but the number of tools", appendCounts, false})
	var answer []byte
	for _, form := range forms {
		r.leftOut = []string{form.left}
		v.tools = form.tools
		v.remark = r.remark(form.naming)
		if answer = r.draw(v); r.fits(answer) {
			break
		}
	}
	return answer
}

// tersely returns a function that appends the tools by server, each with at most most characters of the first sentence
// of its description.
func tersely(most int) func([]byte, *toolbox.Opened) []byte {
	return byServer("tools_by_server", func(dst []byte, server toolbox.OpenedServer) []byte {
		tools := make([]jsonrpc.Member, len(server.Tools))
		for i := range server.Tools {
			tool := &server.Tools[i]
			text := shorten(strings.Join(strings.Fields(firstSentence(tool.Description)), " "), most)
			tools[i] = jsonrpc.Member{Name: tool.Name, Value: jsonrpc.AppendString(nil, text)}
		}
		return jsonrpc.AppendObject(dst, tools)
	})
}

func appendNames(dst []byte, opened *toolbox.Opened) []byte {
	return byServer("tools_by_server", func(dst []byte, server toolbox.OpenedServer) []byte {
		names := make([]string, len(server.Tools))
		for i, tool := range server.Tools {
			names[i] = tool.Name
		}
		return appendStrings(dst, names)
	})(dst, opened)
}

func appendCounts(dst []byte, opened *toolbox.Opened) []byte {
	return byServer("tools_of_servers", func(dst []byte, server toolbox.OpenedServer) []byte {
		return strconv.AppendInt(dst, int64(len(server.Tools)), 10)
	})(dst, opened)
}

// byServer returns a function that appends a member with one value for each server.
func byServer(member string, value func([]byte, toolbox.OpenedServer) []byte) func([]byte, *toolbox.Opened) []byte {
	return func(dst []byte, opened *toolbox.Opened) []byte {
		servers := make([]jsonrpc.Member, len(opened.Servers))
		for i, server := range opened.Servers {
			servers[i] = jsonrpc.Member{Name: server.Name, Value: value(nil, server)}
		}
		dst = append(jsonrpc.AppendString(dst, member), ':')
		return jsonrpc.AppendObject(dst, servers)
	}
}

// firstSentence returns a text up to the end of its first sentence or paragraph.
func firstSentence(text string) string {
	text = strings.TrimSpace(text)
	for i, c := range text {
		rest := text[i+utf8.RuneLen(c):]
		switch c {
		case '。', '！', '？':
			return text[:len(text)-len(rest)]
		case '\n':
			if strings.HasPrefix(strings.TrimLeft(rest, " \t\r"), "\n") {
				return strings.TrimSpace(text[:i])
			}
		case '.', '!', '?', ':':
			next, _ := utf8.DecodeRuneInString(rest)
			if c == ':' && next != '\n' || rest != "" && !unicode.IsSpace(next) || c == '.' && abbreviated(text[:i]) {
				continue
			}
			return text[:i+1]
		}
	}
	return text
}

// abbreviated reports whether a full stop after text may be part of an abbreviation.
func abbreviated(text string) bool {
	word := text[strings.LastIndexFunc(text, func(c rune) bool { return unicode.IsSpace(c) || c == '(' })+1:]
	return strings.Contains(word, ".") && len(word) <= len("e.g") || word == "vs" || word == "approx"
}

// shorten cuts a text to at most most characters.
func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return strings.TrimSpace(string(runes[:most-1])) + "…"
}
