package process

import (
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Windows runs batch files, such as npx.cmd and most programs that npm installs, with cmd.exe, which parses
// the command line by its own rules. os/exec quotes arguments for C programs. With that quoting, cmd.exe
// would take the & of a web address for the end of the command, and run the text after it as another command.
// This file therefore starts cmd.exe with a command line that is quoted for it.

// isBatch reports whether a program is a batch file. Windows ignores dots and spaces at the end of a name.
func isBatch(path string) bool {
	extension := filepath.Ext(strings.TrimRight(path, ". "))
	return strings.EqualFold(extension, ".cmd") || strings.EqualFold(extension, ".bat")
}

// asBatch changes cmd so that cmd.exe runs its batch file, and returns the command line for that.
func asBatch(cmd *exec.Cmd) (line string, err error) {
	system, err := windows.GetSystemDirectory()
	if err != nil {
		return "", words.NewError("process.no_cmd", "Why", err)
	}
	line, err = batchLine(cmd.Path, cmd.Args[1:])
	if err != nil {
		return "", err
	}
	cmd.Path = filepath.Join(system, "cmd.exe")
	return line, nil
}

// batchLine returns the command line with which cmd.exe runs a batch file: without commands from the
// registry, with the extensions that [batchArgument] needs, and without a special meaning of "!". cmd.exe
// removes the outer quotes of the whole line.
func batchLine(path string, args []string) (string, error) {
	var line strings.Builder
	line.WriteString(`cmd.exe /d /e:on /v:off /c ""` + percents(path) + `"`)
	for i, arg := range args {
		if strings.ContainsAny(arg, "\r\n\x00") {
			return "", words.NewError("process.line_break", "Number", i+1, "File", filepath.Base(path))
		}
		line.WriteString(" " + batchArgument(arg))
	}
	line.WriteString(`"`)
	return line.String(), nil
}

// plain are the characters besides letters and digits that have no meaning for cmd.exe.
const plain = `#$*+-./:?@\_`

// batchArgument returns an argument quoted so that neither cmd.exe, nor the program that gets it through the
// batch file's %*, interprets anything in it. In quotes, all characters but quotes and % are ordinary. A
// quote is doubled: C programs, such as node, read two quotes as one, and cmd.exe stays between quotes.
// Programs that follow the rules from before 2008, among them those written in Go, lose the quote: no form is
// right for all of them and for cmd.exe.
func batchArgument(arg string) string {
	special := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= 0xa0
		return !letter && !strings.ContainsRune(plain, r)
	}
	// An argument with \ at its end is quoted too, since a batch file that adds quotes itself would escape
	// the closing one.
	if arg != "" && !strings.HasSuffix(arg, `\`) && strings.IndexFunc(arg, special) < 0 {
		return arg
	}
	var quoted strings.Builder
	quoted.WriteByte('"')
	backslashes := 0 // before a quote, C programs read two of them as one
	for _, c := range []byte(arg) {
		switch c {
		case '\\':
			backslashes++
		case '"':
			quoted.WriteString(strings.Repeat(`\`, backslashes) + `"`)
			fallthrough
		default:
			backslashes = 0
		}
		quoted.WriteByte(c)
	}
	quoted.WriteString(strings.Repeat(`\`, backslashes) + `"`)
	return percents(quoted.String())
}

// percents keeps %NAME% from being replaced by a variable. A % cannot be escaped, but it can be followed by a
// variable that is empty, so that it does not begin a name.
func percents(text string) string { return strings.ReplaceAll(text, "%", "%%cd:~,%") }
