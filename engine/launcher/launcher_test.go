package launcher

import (
	"fmt"
	"strings"
	"testing"
)

// words splits a command at "¦".
func words(command string) (string, []string) {
	all := strings.Split(command, " ¦ ")
	return all[0], all[1:]
}

// letters are short names of roles.
var letters = map[Role]string{Value: "v", Own: "o", Flag: "f", Joined: "j", Unsure: "?", Package: "p", Starts: "S",
	Variable: "e", Code: "C"}

// TestRead tries what each argument of a command is.
func TestRead(t *testing.T) {
	for _, test := range []struct{ command, roles, expands string }{
		{"npx ¦ -y ¦ server ¦ --key ¦ x", "fSvv", "----"},
		{"npx ¦ -p ¦ package ¦ server", "fpS", "---"},
		{"uvx ¦ --from ¦ git+https://host/x ¦ server", "fpS", "---"},
		{"uv ¦ --directory ¦ /x ¦ run ¦ server.py ¦ $X", "fooSv", "------"},
		{"python3.12 ¦ -m ¦ server ¦ $HOME/x", "fSv", "---"},
		{"docker ¦ run ¦ -i ¦ -e ¦ A=b ¦ -v ¦ /a:/b ¦ image ¦ x", "offefoSv", "--------"},
		{"docker ¦ run ¦ -eA=b ¦ image ¦ sh ¦ -c ¦ code", "oeSSfC", "-----*"},
		{"bash ¦ -lc ¦ code", "fC", "-*"},
		{"bash ¦ -c ¦ exec \"$@\" ¦ _ ¦ server", "fCSv", "-*--"},
		{"wsl.exe ¦ bash ¦ -lc ¦ code", "SfC", "$$*"},
		{"wsl ¦ -d ¦ Debian ¦ -- ¦ npx ¦ server ¦ $HOME/x", "fofSSv", "$$$$$$"},
		{"cmd ¦ /c ¦ npx ¦ server ¦ %X%", "fSSv", "%%%%"},
		{"cmd.exe ¦ /d ¦ /C ¦ set A=b&& npx ¦ server", "ffCC", "%%**"},
		{"node ¦ -e ¦ code", "fC", "-*"},
		{"node ¦ server.js ¦ --format=%Y", "Sv", "--"},
		{"pwsh ¦ -NoProfile ¦ -Command ¦ & ¦ $env:HOME/x", "jfCC", "--**"},
		{"env ¦ -u ¦ A ¦ B=c ¦ npx ¦ server", "fofSS", "-----"},
		{"npx ¦ -y ¦ envmcp ¦ npx ¦ server ¦ $KEY", "fSSSv", "--$$$"},
		{"direnv ¦ exec ¦ . ¦ server ¦ $KEY", "ooSv", "$$$$"},
		{"ssh ¦ -p ¦ 22 ¦ host ¦ cd x; ¦ ./server $X", "foSCC", "---**"},
		{"kubectl ¦ exec ¦ pod ¦ -- ¦ sh ¦ -c ¦ code", "vvvSfC", "-----*"},
		{"stdbuf ¦ -o0 ¦ bash ¦ -c ¦ code", "fSfC", "---*"},
		{"deno ¦ eval ¦ code", "oC", "-*"},
		{"timeout ¦ 5 ¦ server ¦ -p ¦ 80", "oSvC", "---*"},
	} {
		command, args := words(test.command)
		arguments, _ := Read(command, args)
		roles, expands := "", ""
		for _, a := range arguments {
			roles += letters[a.Role]
			expands += map[Style]string{0: "-", Dollar: "$", Percent: "%", Dollar | Percent: "*"}[a.Expands]
		}
		if want := strings.ReplaceAll(test.roles, " ", ""); roles != want || expands != test.expands[:len(want)] {
			t.Errorf("%s: %s %s, want %s %s", test.command, roles, expands, want, test.expands)
		}
	}
}

// TestMayInstall tries which commands may download what they start.
func TestMayInstall(t *testing.T) {
	for command, want := range map[string]bool{
		"npx ¦ -y ¦ server": true, "/usr/local/bin/npx ¦ server": true, "npx.cmd ¦ x": true, "bun ¦ x ¦ server": true,
		"yarn ¦ dlx ¦ server": true, "docker ¦ run ¦ x": true,
		"cmd ¦ /c ¦ npx ¦ server": true, "bash ¦ -lc ¦ exec npx -y server": true, "env ¦ A=b ¦ uvx ¦ server": true,
		"wsl ¦ bash ¦ -c ¦ A=b npx -y x": true, "go ¦ run ¦ ./x": true,
		"cmd ¦ /c ¦ set A=b&& npx -y server": true, "timeout ¦ 60 ¦ npx ¦ server": true,
		"node ¦ server.js": false, "yarn ¦ start": false, "bun ¦ server.ts": false, "python ¦ server.py ¦ npx": false,
		"go ¦ version": false, "bash ¦ -c ¦ exec ./npx-like": false, "": false,
	} {
		name, args := words(command)
		if got := MayInstall(name, args); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

// TestSubject tries what says most about a command.
func TestSubject(t *testing.T) {
	for command, want := range map[string]string{
		"npx ¦ -y ¦ @a/server@1 ¦ /x": "@a/server@1", "npx ¦ -p ¦ package ¦ bin": "package",
		"npx ¦ --package=package ¦ bin": "package", "uvx ¦ --from ¦ git+x ¦ bin": "git+x",
		"uvx ¦ --python ¦ 3.12 ¦ thing": "thing", "python ¦ -m ¦ a.b": "a",
		"uv ¦ --directory ¦ /x/weather ¦ run ¦ main.py":             "/x/weather",
		"docker ¦ run ¦ -i ¦ -e ¦ A ¦ --name ¦ x ¦ mcp/git:1.2 ¦ y": "mcp/git",
		"docker ¦ run ¦ host:5000/a/b@sha256:1":                     "host:5000/a/b", "node ¦ /x/server.js": "/x/server.js",
		"java ¦ -jar ¦ x.jar": "x.jar", "npx ¦ -y ¦ @smithery/cli@latest ¦ run ¦ @a/b": "@a/b",
		"bash ¦ -c ¦ export A=b; exec npx -y thing --x": "thing",
		"cmd ¦ /c ¦ npx ¦ thing":                        "thing", "env ¦ A=b ¦ npx ¦ -y ¦ thing": "thing", "npx": "",
	} {
		name, args := words(command)
		if got := Subject(name, args); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// TestKnown tries with which words a command line begins, and that each name is in one row.
func TestKnown(t *testing.T) {
	for word, want := range map[string]bool{"npx": true, "/usr/bin/env": true, "Python3.12": true, "CMD.EXE": true,
		"time": false, "start": false, "something": false} {
		if Known(word) != want {
			t.Errorf("%s: %v", word, !want)
		}
	}
	seen := map[string]bool{}
	for _, row := range table {
		for _, name := range row.Names {
			if seen[name] || Base(name) != name || row.Kind == Unknown {
				t.Errorf("%s stands twice, is no plain name or has no kind", name)
			}
			seen[name] = true
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("docker", "run\x00-i\x00x\x00sh\x00-c\x00y")
	f.Add("cmd", "/c\x00")
	f.Add("ssh", "-p\x00\x00x\x00y")
	f.Fuzz(func(t *testing.T, command, joined string) {
		args := strings.Split(joined, "\x00")
		arguments, programs := Read(command, args)
		if len(arguments) != len(args) || len(programs) == 0 || len(programs) > len(args)+1 {
			t.Fatal(fmt.Sprint(arguments, programs))
		}
		MayInstall(command, args)
		Subject(command, args)
	})
}
