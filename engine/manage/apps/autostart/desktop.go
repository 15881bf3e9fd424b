package autostart

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Keys of the desktop entry. The last is our own: a file that has it was written by us.
const (
	keyExec   = "Exec"
	keyHidden = "Hidden"
	keyGnome  = "X-GNOME-Autostart-enabled"
	keyOurs   = "X-Workbench-Autostart"
)

// newDesktop returns the file in the autostart folder of desktops (XDG Desktop Application Autostart
// Specification).
func newDesktop(configFolder string) *file {
	return &file{path: filepath.Join(configFolder, "autostart", ID+".desktop"), format: formatDesktop,
		parse: parseDesktop}
}

// formatDesktop returns the text of a desktop entry (Desktop Entry Specification).
func formatDesktop(program string) ([]byte, error) {
	return []byte(`[Desktop Entry]
Type=Application
Version=1.0
Name=` + Name + `
Comment=Toolboxes of MCP servers for AI apps
` + keyExec + `=` + ExecLine(program, HiddenFlag) + `
Icon=` + ID + `
Terminal=false
StartupNotify=false
` + keyGnome + `=true
` + keyOurs + `=true
`), nil
}

// ExecLine returns the value of the key Exec that starts a program with one argument. The argument is a flag
// or a field code and is not quoted.
func ExecLine(program, argument string) string {
	return escapeValue(quoteExec(program) + " " + argument)
}

// quoteExec quotes an argument of Exec: it is put in double quotes, special characters get a backslash, and
// the percent sign, which begins a field code, is doubled.
func quoteExec(argument string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range argument {
		switch r {
		case '"', '`', '$', '\\':
			b.WriteByte('\\')
		case '%':
			b.WriteByte('%')
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

// escapeValue escapes a value of type string. It is applied after the quoting, so that a backslash from the
// quoting is escaped again.
func escapeValue(value string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(value)
}

// unescapeValue reverses escapeValue.
func unescapeValue(value string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\s`, " ").Replace(value)
}

// parseDesktop reads a desktop entry.
func parseDesktop(text []byte) entry {
	values := map[string]string{}
	section := ""
	for line := range bytes.Lines(text) {
		line := strings.TrimRight(string(line), "\r\n")
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if ok && section == "[Desktop Entry]" && !strings.HasPrefix(line, "#") {
			values[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	found := entry{foreign: values[keyOurs] != "true", off: values[keyHidden] == "true" || values[keyGnome] == "false"}
	if arguments := splitExec(unescapeValue(values[keyExec])); len(arguments) > 0 {
		found.program = arguments[0]
	}
	return found
}

// splitExec splits the value of Exec into its arguments.
func splitExec(line string) []string {
	var arguments []string
	var b strings.Builder
	quoted, begun := false, false
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '"':
			quoted, begun = !quoted, true
		case quoted && r == '\\' && i+1 < len(runes):
			i++
			b.WriteRune(runes[i])
		case r == '%' && i+1 < len(runes) && runes[i+1] == '%':
			i++
			b.WriteRune(r)
		case !quoted && (r == ' ' || r == '\t'):
			if begun {
				arguments = append(arguments, b.String())
			}
			b.Reset()
			begun = false
		default:
			begun = true
			b.WriteRune(r)
		}
	}
	if begun {
		arguments = append(arguments, b.String())
	}
	return arguments
}
