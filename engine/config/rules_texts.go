package config

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var zeroCharacter = Rule{Code: "zero-character",
	About: "The system cannot pass an argument, a variable or a path with a zero character to a program.",
	Entry: `"command": "npx", "args": ["a\u0000"]`,
	text: func(d *diagnoser, r Rule, m member, value string) {
		i := strings.IndexByte(value, 0)
		if i < 0 {
			return
		}
		at := newOffsets(m.value.Raw(), m.value.Start).source(i)
		problem := d.say(r, at, at+len(`\u0000`), m.at, words.New("config.zero_character"), words.New("config.take_out"))
		d.offer(problem, words.New("config.fix.remove"), Change{Start: at, End: at + len(`\u0000`)})
	}}

var controlInPath = Rule{Code: "control-character-in-path", Severity: SeverityWarning,
	About: "A Windows path has single backslashes. JSON reads \"\\n\", \"\\t\" and the like as control characters, so " +
		"this is not the path that it seems to be.",
	Entry: `"command": "C:\tools\node.exe"`,
	text: func(d *diagnoser, r Rule, m member, value string) {
		inside := strings.Trim(m.value.Raw(), `"`)
		if !strings.Contains(inside, `\`) || !windowsPath(inside) || !strings.ContainsAny(value, "\b\f\n\r\t") {
			return
		}
		problem := d.sayAt(r, m.value.Span, m.at,
			words.New("config.control_in_path"),
			words.New("config.control_in_path.hint"))
		d.offer(problem, fixBackslashes(), doubleBackslashes(inside, m.value.Start+1)...)
	}}
