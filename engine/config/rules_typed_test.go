package config

import (
	"strings"
	"testing"
)

// TestTyped tries references that people type as a shell, Windows or another program writes them, and that --fix
// corrects them and nothing else.
func TestTyped(t *testing.T) {
	for entry, want := range map[string]string{
		`"command": "~/bin/srv", "args": ["~/x", "$HOME/y", "%APPDATA%/z", "{env:HOME}/q", "~", "--root=~/a", "~/a:/b"], "cwd": "~/w"`:   `"command": "${HOME}/bin/srv", "args": ["${HOME}/x", "${HOME}/y", "${APPDATA}/z", "${HOME}/q", "${HOME}", "--root=${HOME}/a", "${HOME}/a:/b"], "cwd": "${HOME}/w"`,
		`"command": "$HOME/bin/srv", "env": {"PATH": "/opt/x:$PATH", "V": "$GITHUB_TOKEN", "API_KEY": "$API_KEY", "W": "$AB$B_C"}`:       `"command": "${HOME}/bin/srv", "env": {"PATH": "/opt/x:${PATH}", "V": "${GITHUB_TOKEN}", "API_KEY": "${API_KEY}", "W": "${AB}${B_C}"}`,
		`"url": "https://x.example/$TENANT/mcp", "headers": {"Authorization": "Bearer $TOKEN", "X-Key": "{env:KEY}", "X-Y": "%MY_KEY%"}`: `"url": "https://x.example/${TENANT}/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-Key": "${KEY}", "X-Y": "${MY_KEY}"}`,
		`"command": "%LOCALAPPDATA%\\Programs\\x.exe", "args": ["$env:APPDATA\\npm", "%ProgramFiles(x86)%\\y", "--token=$TOKEN"]`:        `"command": "${LOCALAPPDATA}\\Programs\\x.exe", "args": ["${APPDATA}\\npm", "${ProgramFiles(x86)}\\y", "--token=${TOKEN}"]`,
		`"command": "server", "args": ["-c", "$HOME/x.json"]`:                                                                            `"command": "server", "args": ["-c", "${HOME}/x.json"]`,

		// Nothing of this is a reference, or others replace it.
		`"command": "bash", "args": ["-lc", "export A=$HOME; cd ~/x && exec $B"]`:                                      "",
		`"command": "cmd", "args": ["/c", "set A=%APPDATA%&& npx x"]`:                                                  "",
		`"command": "cmd", "args": ["/c", "npx", "x", "%APPDATA%\\y"]`:                                                 "",
		`"command": "wsl", "args": ["npx", "x", "$HOME/y", "~/z"]`:                                                     "",
		`"command": "node", "args": ["-e", "process.env.X ?? $HOME"]`:                                                  "",
		`"command": "pwsh", "args": ["-Command", "& $env:HOME/x"]`:                                                     "",
		`"command": "envmcp", "args": ["npx", "x", "--key", "$API_KEY"]`:                                               "",
		`"command": "npx", "args": ["-y", "envmcp", "server", "$API_KEY"]`:                                             "",
		`"command": "docker", "args": ["run", "image", "sh", "-c", "echo $HOME"]`:                                      "",
		`"command": "kubectl", "args": ["exec", "pod", "--", "sh", "-c", "echo $HOME"]`:                                "",
		`"command": "npx", "args": ["pg", "postgresql://app:p%C3%A4ss%C3%B6rd@db.example/shop"]`:                       "",
		`"command": "npx", "args": ["x", "file:///home/me/Notizen%C3%BCber%C3%BCbung", "--format=%Y-%m-%d", "%H%M%S"]`: "",
		`"command": "npx", "args": ["x", "^a$|b$", "100%", "a~b", "x@~1.2", "~other/x", "$", "$1", "$name", "$(pwd)"]`: "",
		`"command": "npx", "env": {"PASSWORD": "ab:$CD-%EF_G%", "DB_PASS": "$ECRET!x"}`:                                "",
		`"url": "https://x.example/a%20b%C3%A4?$filter=x&q=%APPDATA%"`:                                                 "",
		`"command": "npx", "args": ["$${HOME}", "${A:-$HOME}x"], "env": {"HOME": "/x"}, "toolFilters": ["$X", "~/y"]`:  "",
	} {
		fixed := FixAll("", inEntry(entry))
		if want == "" {
			want = entry
		}
		if string(fixed.Source) != string(inEntry(want)) {
			t.Errorf("%s\n became %s", entry, fixed.Source)
		}
		if entry == want && len(fixed.Applied) > 0 || entry != want && strings.Contains(string(fixed.Source), "typed-reference") {
			t.Errorf("%s: %v", entry, fixed.Applied)
		}
	}
}

// TestLiteral checks that nothing in a literal text is replaced.
func TestLiteral(t *testing.T) {
	for _, text := range []string{"", "$A", "${A}", "${A:-${B:-$(c)}}", "$${A}", "$$${A}", "${", "a}${b"} {
		server := &Server{Command: "x", Args: []string{Literal(text)}, Env: []Variable{{"A", "wrong"}}}
		if got, err := server.Expand(Lookup{}); err != nil || got.Args[0] != text {
			t.Errorf("%q became %+v, %v", text, got, err)
		}
	}
}
