package secret

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestKey(t *testing.T) {
	for name, want := range map[string]bool{
		"TOKEN": true, "GITHUB_TOKEN": true, "github-token": true, "githubToken": true, "GITHUBTOKEN": true,
		"GITHUB_PERSONAL_ACCESS_TOKEN": true, "GITHUB_PAT": true, "PAT": true,
		"API_KEY": true, "apiKey": true, "APIKey": true, "OPENAI_APIKEY": true, "X-Api-Key": true, "--api-key": true,
		"KEY":               true,
		"AWS_ACCESS_KEY_ID": true, "AWS_SECRET_ACCESS_KEY": true, "AWS_SESSION_TOKEN": true,
		"DB_PASSWORD": true, "PASSWD": true, "PGPASSWORD": true, "passphrase": true, "DB_PASS": true, "PWD2": true,
		"Authorization": true, "Proxy-Authorization": true, "authorisation": true, "X-Auth": true, "OAUTH_CLIENT": true,
		"Cookie": true, "Set-Cookie": true, "SESSION": true, "session_id": true, "sid": true,
		"GOOGLE_APPLICATION_CREDENTIALS": true, "creds": true, "PRIVATE_KEY": true, "private": true, "BEARER": true,
		"JWT":               true,
		"CONNECTION_STRING": true, "connectionString": true, "webhookSecret": true, "MAX_TOKENS": true, // Pair knows more

		"": false, "PATH": false, "HOME": false, "PATTERN": false, "AUTHOR": false, "KEYBOARD": false, "MONKEY": false,
		"COMPASS": false, "BYPASS_CACHE": false, "TOKENIZERS_PARALLELISM": false, "DISPLAY": false, "NODE_ENV": false,
		"Accept": false, "Content-Type": false, "X-Request-Id": false, "LOG_LEVEL": false, "URL": false, "DATABASE": false,
		"SPIN": false,
	} {
		if got := Key(name); got != want {
			t.Errorf("Key(%q) = %v", name, got)
		}
	}
}

func TestPair(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        bool
	}{
		{"TOKEN", "abc", true},
		{"TOKEN", "", false},
		{"TOKEN", "${GITHUB_TOKEN}", false},
		{"TOKEN", "${keyring:github}", false},
		{"TOKEN", "${GITHUB_TOKEN:-}", false},
		{"TOKEN", "${GITHUB_TOKEN:-abc}", true},
		{"TOKEN", "$${GITHUB_TOKEN}", true},
		{"TOKEN", "abc${GITHUB_TOKEN}", true},
		{"TOKEN", "${A}${B}", false},
		{"Authorization", "Bearer ${API_KEY}", false},
		{"Authorization", "Bearer abc", true},
		{"Authorization", "bearer  ${keyring:x y}", false},
		{"AUTH_ENABLED", "true", false},
		{"MAX_TOKENS", "4096", false},
		{"MAX_TOKENS", "hunter2", true},
		{"DB_PASSWORD", "123456", true},
		{"NAME", "sk-abcdefghijklmnopqrstuvwx", true},
		{"NAME", "value", false},
		{"DATABASE_URL", "postgres://me:hunter2@host/db", true},
		{"DATABASE_URL", "postgres://me:${PASSWORD}@host/db", false},
		{"DATABASE_URL", "postgres://me@host/db", false},
		{"URL", "https://host/mcp?api_key=abc", true},
		{"URL", "https://host/mcp?api_key=${KEY}&x=1", false},
		{"URL", "https://host/mcp/sse?code=q7RkT2mVb9xLw4ZpN0sYd3HcJ6uEf8AzFuK2rPyQ==", true},
		{"URL", "https://host/mcp?code=python3&lang=code", false},
		{"URL", "https://host/mcp?page=abc", false},
	} {
		if got := Pair(test.name, test.value); got != test.want {
			t.Errorf("Pair(%q, %q) = %v", test.name, test.value, got)
		}
	}
}

func TestValueForms(t *testing.T) {
	// Assembled here, so that no scanner takes this file for a leak.
	long := strings.Repeat("aB3", 12)
	for _, token := range []string{
		"sk-" + long, "sk-" + "ant-api03-" + long, "ghp_" + long, "gho_" + long, "github_pat_" + long, "glpat-" + long,
		"xoxb-" + "1234567890-abc", "AKIA" + "ABCDEFGHIJKLMNOP", "AIza" + long, "eyJ" + long + "." + long + "." + long,
		"npm_" + long, "hf_" + long, "sk_live_" + long, "pypi-" + long, "SG." + long + "." + long, "gsk_" + long,
		"-----BEGIN OPENSSH " + "PRIVATE KEY-----\nabc", "Bearer " + long, "12345678:" + long[:35],
	} {
		if !Value(token) || !Value("text before "+token+" and after") {
			t.Errorf("%.8s… is not seen as a secret", token)
		}
	}
	for _, text := range []string{
		"", "npx", "-y", "@modelcontextprotocol/server-filesystem", "risk-assessment-of-everything",
		"https://example.com/mcp",
		"task-0123456789abcdef0123", "/home/me/projects", "2026-01-01T10:00:00Z", "eyJ", "sk-", "basic auth", "hello: world",
	} {
		if Value(text) {
			t.Errorf("%q is seen as a secret", text)
		}
	}
}

func TestMask(t *testing.T) {
	long := strings.Repeat("x9Z", 10)
	for in, want := range map[string]string{
		"nothing to see":                    "nothing to see",
		"TOKEN=abc":                         "TOKEN=•••",
		`"TOKEN": "abc", "other": "x"`:      `"TOKEN": "•••", "other": "x"`,
		`"TOKEN" "abc"`:                     `"TOKEN" "•••"`,
		`'TOKEN': 'a"b'`:                    `'TOKEN': '•••'`,
		`“TOKEN”: “abc”, x`:                 `“TOKEN”: “•••”, x`,
		`TOKEN: abc, "x": 1`:                `TOKEN: •••, "x": 1`,
		"TOKEN: abc\nnext: 1":               "TOKEN: •••\nnext: 1",
		"\"TOKEN\": \"abc\nnext":            "\"TOKEN\": \"•••\nnext",
		`"TOKEN": "a\"b" , 1`:               `"TOKEN": "•••" , 1`,
		`"args": ["--api-key", "abc"]`:      `"args": ["--api-key", "•••"]`,
		`"TOKEN": "${X}"`:                   `"TOKEN": "${X}"`,
		`"keys": {"a": "b"}`:                `"keys": {"a": "b"}`,
		"using ghp_" + long + " now":        "using ••• now",
		"GET https://me:pw@host/?token=a&b": "GET https://me:•••@host/?token=•••",
		"Authorization: Bearer " + long:     "Authorization: •••",
		"Authorization: Bearer ${API_KEY}":  "Authorization: Bearer ${API_KEY}",
		"TOKEN=${API_KEY}x":                 "TOKEN=•••",
		"TOKEN=${API_KEY:-abc}":             "TOKEN=•••",
		"no value: TOKEN=":                  "no value: TOKEN=",
	} {
		if got := Mask(in); got != want {
			t.Errorf("Mask(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestMaskLabel(t *testing.T) {
	for in, want := range map[string]string{
		`set "env.GITHUB_TOKEN" of server "memory" in toolbox "dev"`: `set "env.GITHUB_TOKEN" of server "memory" in toolbox "dev"`,
		`rename toolbox "auth" to "keys"`:                            `rename toolbox "auth" to "keys"`,
		"added toolbox a; token: hunter2":                            "added toolbox a; token: •••",
		`set "API_KEY"="abc"`:                                        `set "API_KEY"="•••"`,
		"added server ghp_" + strings.Repeat("x9Z", 10):              "added server •••",
	} {
		if got := MaskLabel(in); got != want {
			t.Errorf("MaskLabel(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

func FuzzInText(f *testing.F) {
	f.Add("TOKEN=abc")
	f.Add(`"a-key": "x\`)
	f.Add("“TOKEN”: “")
	f.Add("https://a:b@c?token=\xff&key=\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, spans := range [][]Span{InText(text), InValue(text)} {
			at := 0
			for _, span := range spans {
				if span.Start < at || span.End <= span.Start || span.End > len(text) {
					t.Fatalf("span %v after %d of %d", span, at, len(text))
				}
				at = span.End
			}
		}
		if utf8.ValidString(text) && !utf8.ValidString(Mask(text)) {
			t.Fatal("a character is cut apart")
		}
		Key(text)
		Pair(text, text)
	})
}
