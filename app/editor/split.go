package editor

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// commandLine remembers of the text in the field for the command whether it is a whole command line.
type commandLine struct {
	pasted string // the command line that was pasted, with its quotes
	seen   string // the command that whole is about
	whole  bool
}

// splits reports whether a command is a whole command line.
func (c *commandLine) splits(command string) bool {
	if command != c.seen {
		_, _, c.whole = splitCommand(command)
		c.seen = command
	}
	return c.whole
}

// parts splits a command. If it was pasted, what was pasted is split: its quotes say more.
func (c *commandLine) parts(command string) (program string, args []string, ok bool) {
	if program, args, ok := splitCommand(c.pasted); ok && joined(program, args) == command {
		return program, args, ok
	}
	return splitCommand(command)
}

// joined returns a command and its arguments as the field shows them.
func joined(command string, args []string) string {
	return strings.Join(append([]string{command}, args...), " ")
}

// splitCommand splits a whole command line, if it is very likely one. It uses the rules of package config, which
// offers the same for a file. A "\" at the end of a line joins it with the next.
func splitCommand(line string) (command string, args []string, ok bool) {
	line = strings.NewReplacer("\\\r\n", " ", "\\\n", " ", "\r\n", " ", "\n", " ", "\t",
		" ").Replace(strings.TrimSpace(line))
	line = strings.TrimPrefix(line, "$ ")
	if len(line) > maxLine || !strings.Contains(line, " ") {
		return "", nil, false
	}
	document := config.Parse("", []byte(`{"toolboxes": {"x": {"mcpServers": {"x": {"command": `+jsonc.Quote(line)+
		`}}}}}`))
	for _, diagnostic := range document.Diagnostics {
		if diagnostic.Fix == nil || diagnostic.Path != config.ServerPath("x", "x")+".command" {
			continue
		}
		fixed, err := config.ApplyChanges(document.Source, diagnostic.Fix.Changes)
		if err != nil {
			continue
		}
		document := config.Parse("", fixed)
		if toolbox, ok := document.Config.Toolbox("x"); ok && document.Valid() && len(toolbox.Servers) == 1 {
			server := toolbox.Servers[0]
			return server.Command, server.Args, len(server.Args) > 0
		}
	}
	return "", nil, false
}

// maxLine is the longest command line that is split, in bytes.
const maxLine = 64 << 10

// lines returns the non-empty lines of a text.
func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}
