package process

import (
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Windows runs a batch file, as npx.cmd and most of what npm installs is, with cmd.exe, which reads the command line in its own way: what
// os/exec makes of the arguments, for programs in C, lets cmd.exe take the & of a web address for the end of the command, and run
// what follows it as another one. So cmd.exe is started by us, with a line made for it.

// isBatch reports whether a program is a batch file. Windows leaves dots and spaces at the end of a name away.
func isBatch(path string) bool {
	extension := filepath.Ext(strings.TrimRight(path, ". "))
	return strings.EqualFold(extension, ".cmd") || strings.EqualFold(extension, ".bat")
}

// asBatch has cmd.exe run the batch file that cmd is to start, and returns the command line for that.
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

// batchLine returns the command line with which cmd.exe runs a batch file: without what the registry would have it run first, with
// the extensions that [batchArgument] needs and without a meaning for "!". Of the whole in quotes it takes off the outer ones.
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

// plain are the characters besides letters and digits that mean nothing to cmd.exe.
const plain = `#$*+-./:?@\_`

// batchArgument returns an argument so that neither cmd.exe nor the program that gets it from the batch file's %* sees anything else
// in it: in quotes, where all but quotes and % is a character as any other. A quote is doubled, which is one to programs in C, such as
// node, and changes nothing for cmd.exe, which then is between quotes as before. Programs that go by the rules from before 2008, those in
// Go among them, lose it: nothing is right for all of them and for cmd.exe.
func batchArgument(arg string) string {
	special := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= 0xa0
		return !letter && !strings.ContainsRune(plain, r)
	}
	// With a \ at the end, a batch file that puts quotes around it would have a quote in it.
	if arg != "" && !strings.HasSuffix(arg, `\`) && strings.IndexFunc(arg, special) < 0 {
		return arg
	}
	var quoted strings.Builder
	quoted.WriteByte('"')
	backslashes := 0 // before a quote each counts half for programs in C
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

// percents keeps %NAME% from being taken for a variable. Nothing escapes a %, but after it may stand a variable of no length, so
// that it is no longer the beginning of a name.
func percents(text string) string { return strings.ReplaceAll(text, "%", "%%cd:~,%") }
