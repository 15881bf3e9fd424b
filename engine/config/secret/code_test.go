package secret

import (
	"strings"
	"testing"
)

// TestInCode tries keys in code, and what only looks like one.
func TestInCode(t *testing.T) {
	for code, want := range map[string]string{
		"export X_TOKEN=abc123 Y_URL=https://x; exec node s.js --token=8f3a --port 80": "export X_TOKEN=••• Y_URL=https://x; exec node s.js --token=••• --port 80",
		"export X_TOKEN='a b;c' && run --api-key \"d e\" x":                            "export X_TOKEN='•••' && run --api-key \"•••\" x",
		"set BRAVE_API_KEY=BSA8f3a9&& npx -y brave-mcp":                                "set BRAVE_API_KEY=•••&& npx -y brave-mcp",
		"set \"BRAVE_API_KEY=BSA8f3a9\" && npx":                                        "set \"BRAVE_API_KEY=•••\" && npx",
		"OPENAI_API_KEY=8f3a npx -y thing":                                             "OPENAI_API_KEY=••• npx -y thing",
		"curl -H \"Authorization: Bearer abc.def\" -H 'X-Api-Key: 12ab' https://x":     "curl -H \"Authorization: Bearer •••\" -H 'X-Api-Key: •••' https://x",
		"curl 'https://x.example/a?api_key=abc&b=c'; curl https://me:pw@x/":            "curl 'https://x.example/a?api_key=•••&b=c'; curl https://me:•••@x/",
		"$env:API_KEY='abc'; & npx x":                                                  "$env:API_KEY='•••'; & npx x",
		"$env:API_KEY = \"abc\"; npx x":                                                "$env:API_KEY = \"•••\"; npx x",
		"process.env.API_TOKEN = 'abc'; require('x')":                                  "process.env.API_TOKEN = '•••'; require('x')",
		"import os; os.environ['API_KEY']='abc'; run({\"apiKey\": \"d\"})":             "import os; os.environ['API_KEY']='•••'; run({\"apiKey\": \"•••\"})",
		"mcp-server --token ghx1 --secret-key=a1b2":                                    "mcp-server --token ••• --secret-key=•••",
		"set -gx GITLAB_TOKEN glpat8f3a; npx x":                                        "set -gx GITLAB_TOKEN •••; npx x",
		"setenv X_KEY 8f3a && setx Y_TOKEN \"8f3b\" && run":                            "setenv X_KEY ••• && setx Y_TOKEN \"•••\" && run",
		"curl -s -u me:8f3a https://x; curl --user 'me:8f3b' y":                        "curl -s -u me:••• https://x; curl --user 'me:•••' y",

		// Where the code gets a key is no key.
		"set -e; token is missing; echo set X_TOKEN here; curl -u me:$PASS x; docker run -u 0:0 x": "",
		"export X_TOKEN=$(security find) Y_KEY=$KEY; run --token ${T} --key \"$K\"":                "",
		"GITHUB_TOKEN=$(gh auth token) && export GITHUB_TOKEN && exec x --token $GITHUB_TOKEN":     "",
		"export A=\"${JIRA_TOKEN:-${JIRA_PAT:-$(echo x)}}\"":                                       "",
		"set X_KEY=%MY_KEY%&& run": "",
		"const password = require('x').exec(); token = process.env.T; key=f(1)": "",
		"run --token-command 'pass show x' --max-tokens 4096":                   "",
		"awk 'token=system(1)'": "",
	} {
		if want == "" {
			want = code
		}
		if got := without(code, InCode(code)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if got := Command("bash", []string{"-c", "export A_TOKEN=abc; run"}); got != `bash -c "export A_TOKEN=•••; run"` {
		t.Errorf("got %s", got)
	}
}

func FuzzInCode(f *testing.F) {
	f.Add("export X_TOKEN='a\\'")
	f.Add("--token \xff\"")
	f.Fuzz(func(t *testing.T, code string) {
		at := 0
		for _, span := range InCode(code) {
			if span.Start < at || span.End <= span.Start || span.End > len(code) {
				t.Fatalf("span %v after %d of %q", span, at, code)
			}
			at = span.End
		}
		if key := "; export MY_API_KEY=hunter2x"; !strings.ContainsAny(code, "\"'`\\") &&
			strings.Contains(without(code+key, InCode(code+key)), "hunter2x") {
			t.Errorf("the key is shown in %q", code)
		}
	})
}

// TestNameAt finds the names of values.
func TestNameAt(t *testing.T) {
	for text, want := range map[string]string{
		"export X_TOKEN=@": "X_TOKEN", `A="@"`: "A", "$env:K = '@'": "K", "node s --token @": "--token",
		"--token=@": "--token", `{"key": "@`: "key", `d["k"] = '@`: "k",
		"Authorization: Bearer @": "Authorization", "https://x/?api_key=@": "api_key", "https://user:@": "", "echo @": "",
		"@": "", "a b @": "",
	} {
		if got := NameAt(text, strings.Index(text, "@")); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
