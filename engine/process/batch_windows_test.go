package process

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/process/underwine"
)

// TestBatchFileHandsItsArgumentsOn: a batch file's arguments must reach the program that it starts with %*,
// as npx.cmd starts node.
func TestBatchFileHandsItsArgumentsOn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "Program Files (x86) & more")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s := spec(t, "line")
	batch := "@echo off\r\nsetlocal\r\n\"" + s.Command + "\" first %*\r\n"
	if err := os.WriteFile(filepath.Join(folder, "npx.CMD"), []byte(batch), 0o600); err != nil {
		t.Fatal(err)
	}
	// cmd.exe would find this program if it searched for the name itself, since it searches its own folder
	// first.
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "npx.bat"), []byte("@echo [the wrong one]\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Dir = other
	s.Env = append(s.Env, "PATH="+folder, "PATHEXT=.EXE;.CMD", "SECRET=hunter2")
	for i, args := range [][]string{
		{"-y", "@modelcontextprotocol/server-filesystem", `C:\Users\ada`},
		{"-y", "mcp-remote", "https://example.com/mcp?key=a&who=b&x=y#z"},
		{"a b", "", "c"},
		{`C:\My Folder\`, `C:\plain\`, `\\server\share`},
		{"(x)", "a|b", "a>b", "a<b", "a^b", "a^^b", "!x!", "a,b;c=d", "~", "`", "'a b'", "*"},
		{"%SECRET%", "https://example.com/?q=a%20b", "100%", "%%SECRET%%", "%", "%cd%"},
		{"ä ö", "日本", "a\tb"},
		{`{"url":"https://example.com/?a=1&b=2","n":[1,2]}`, `say "hi" & echo broken`, `"`, `\"`, `a\\"b`, `a"b`},
	} {
		if underwine.Is() && strings.Contains(strings.Join(args, ""), "%") {
			continue // cmd.exe replaces variables again in what %* contains
		}
		s.Command, s.Args = "npx", args
		if i == 0 {
			s.Command = filepath.Join(folder, "npx")
		}
		// The first is the program itself.
		if got, want := parsed(ran(t, s)),
			append([]string{"first"}, args...); len(got) == 0 || !slices.Equal(got[1:], want) {
			t.Errorf("%s\ngot  %q\nwant %q", s.Command, got, want)
		}
	}

	s.Args = []string{"-y", "a\nb"}
	if _, err := Start(s); err == nil || !strings.Contains(err.Error(), "argument 2 has a line break in it") {
		t.Errorf("a line break: %v", err)
	}
}

func TestIsBatch(t *testing.T) {
	for path, want := range map[string]bool{
		`C:\node\npx.cmd`: true, "a.BAT": true, "npx.cmd.": true, "npx.cmd ": true, "npx.cmd. .": true,
		`C:\node\node.exe`: false, `C:\a.cmd\node`: false, "cmd": false, "": false,
	} {
		if isBatch(path) != want {
			t.Errorf("%q: %v", path, !want)
		}
	}
}

func TestNoVariableIsExpandedForABatchFile(t *testing.T) {
	for arg, want := range map[string]string{
		"%SECRET%": `"%%cd:~,%SECRET%%cd:~,%"`,
		"100%":     `"100%%cd:~,%"`,
	} {
		if got := batchArgument(arg); got != want {
			t.Errorf("%s becomes %s, want %s", arg, got, want)
		}
	}
}

// ran returns the output of a process.
func ran(t *testing.T, s Spec) string {
	t.Helper()
	p, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop(t.Context())
	_ = p.Stdin().Close()
	complaint := make(chan []byte)
	go func() {
		text, _ := io.ReadAll(p.Stderr())
		complaint <- text
	}()
	said, err := io.ReadAll(p.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	if text := <-complaint; len(text) > 0 {
		t.Errorf("the batch file has written an error: %s", text)
	}
	return strings.TrimSpace(string(said))
}

// windowsChild runs those modes of children that exist only on Windows.
func windowsChild(word string) {
	switch word {
	case "line":
		fmt.Println(windows.UTF16PtrToString(windows.GetCommandLine()))
	case "server":
		serve()
	}
}

// parsed splits a command line as C programs do, among them node, by the rules of "Parsing C command-line
// arguments" in Microsoft's reference. Go follows older rules, by which two quotes in a row also end a quoted
// part.
func parsed(line string) []string {
	var args []string
	var arg strings.Builder
	quoted, begun, backslashes := false, false, 0
	for i := 0; i <= len(line); i++ {
		end := i == len(line)
		if !end && line[i] == '\\' {
			backslashes, begun = backslashes+1, true
			continue
		}
		quote := !end && line[i] == '"'
		if quote {
			arg.WriteString(strings.Repeat(`\`, backslashes/2))
		} else {
			arg.WriteString(strings.Repeat(`\`, backslashes))
		}
		literal := backslashes%2 == 1
		backslashes = 0
		switch {
		case quote && literal:
			arg.WriteByte('"')
		case quote && quoted && i+1 < len(line) && line[i+1] == '"':
			arg.WriteByte('"')
			i++
		case quote:
			quoted, begun = !quoted, true
		case end || !quoted && strings.IndexByte(" \t", line[i]) >= 0:
			if begun {
				args = append(args, arg.String())
			}
			arg.Reset()
			begun = false
		default:
			arg.WriteByte(line[i])
			begun = true
		}
	}
	return args
}
