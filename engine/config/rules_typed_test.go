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
		`"command": "npx", "args": ["${A:?is needed}", "${A:8080}", "${A-x}"]`:                                                           `"command": "npx", "args": ["${A}", "${A:-8080}", "${A:-x}"]`,
		// Small letters: one of the entry's own variables, or after a scheme.
		`"command": "npx", "args": ["x", "--key=$api_key", "$other"], "env": {"api_key": "k"}`: `"command": "npx", "args": ["x", "--key=${api_key}", "$other"], "env": {"api_key": "k"}`,
		`"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer $github_token"}`: `"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer ${github_token}"}`,
		`"command": "server", "args": ["-c", "$HOME/x.json"]`:                                  `"command": "server", "args": ["-c", "${HOME}/x.json"]`,

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
		`"command": "npx", "env": {"PASSWORD": "$ECRET1"}`:                                                             "",
		`"command": "npx", "args": ["${A:+x}", "${A:=x}", "${A:0:3}"]`:                                                 "",
		`"url": "https://x.example/mcp", "headers": {"Authorization": "${cmd: op read x}", "K": "${file:./key}"}`:      "",
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
		if entry == want && len(fixed.Applied) > 0 || entry != want &&
			strings.Contains(string(fixed.Source), "typed-reference") {
			t.Errorf("%s: %v", entry, fixed.Applied)
		}
	}
}

// TestTypedIsNoticed tries what people type as others write it and that cannot be corrected for certain, and how
// it is written where it is meant as it is.
func TestTypedIsNoticed(t *testing.T) {
	for entry, want := range map[string]string{
		`"command": "npx", "args": ["x", "$name"]`:                                            "${$}name",
		`"command": "npx", "args": ["x", "--key=$MyKey"]`:                                     "${$}name",
		`"command": "npx", "args": ["x", "$HOME"]`:                                            "${$}NAME",
		`"command": "npx", "args": ["x", "$env:HOME"]`:                                        "${$}env:NAME",
		`"command": "npx", "args": ["x", "%APPDATA%"]`:                                        "${%}NAME%",
		`"command": "npx", "args": ["x", "{env:A}"]`:                                          "${{}env:NAME}",
		`"command": "npx", "args": ["x", "~/y"]`:                                              "${~}",
		`"command": "npx", "args": ["x"], "env": {"API_KEY": "{file:~/.key}"}`:                "${{}file:PATH}",
		`"command": "npx", "args": ["x", "--key", "$(cat key)"]`:                              "${$}(COMMAND)",
		`"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer {file:./key}"}`: "${{}file:PATH}",
		`"command": "npx", "env": {"API_KEY": "$api_key"}`:                                    "${$}name",
		`"command": "npx", "env": {"PASSWORD": "$ECRET1"}`:                                    "${$}NAME",

		`"command": "npx", "args": ["${$}name", "${$}HOME", "${$}env:X", "${%}APPDATA%", "${{}env:A}", "${~}/y", "${{}file:x}", "${$}(cat)"]`: "",
		`"command": "npx", "env": {"DB_PASS": "$ecret"}`:             "",
		`"command": "sh", "args": ["-c", "exec x $name $(cat key)"]`: "",
		`"url": "https://x.example/mcp?a=$top"`:                      "",
	} {
		var hints []string
		for _, d := range Parse("", inEntry(entry)).Diagnostics {
			hints = append(hints, d.Code+": "+d.Hint.String())
		}
		said := strings.Join(hints, "\n")
		if want == "" && said != "" || want != "" &&
			(!strings.Contains(said, "typed-reference: ") || !strings.HasSuffix(said, " "+want)) {
			t.Errorf("%s: %s", entry, said)
		}
	}
	literal := &Server{Command: "x", Args: []string{"${$}A ${%}B% ${~}/c ${{}env:D} ${E:-${$}F} $${G} ${$}${$}H"}}
	if got, err := literal.Expand(Lookup{}); err != nil || got.Args[0] != "$A %B% ~/c {env:D} $F ${G} $$H" {
		t.Errorf("%+v, %v", got, err)
	}
	if got := ReplaceReferences(literal.Args[0], func(string) string {
		return "x"
	}); got != "${$}A ${%}B% ${~}/c ${{}env:D} x $${G} ${$}${$}H" {
		t.Errorf("%s", got)
	}
	if names := References(literal.Args[0]); len(names) != 1 || names[0].Name != "E" {
		t.Errorf("%v", names)
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
