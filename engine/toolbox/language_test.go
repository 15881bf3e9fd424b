package toolbox

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/words/wordstest"
)

// All messages for people about servers that cannot be connected are in their language.
func TestProblemsInAnotherLanguage(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a-file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.URL.Path[1:])
		w.WriteHeader(status)
	}))
	t.Cleanup(web.Close)
	gone := httptest.NewServer(nil)
	gone.Close()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	remote := func(url string) *config.Server { return &config.Server{Transport: config.TransportHTTP, URL: url} }
	local := func(command string, args ...string) *config.Server {
		return &config.Server{Transport: config.TransportStdio, Command: command, Args: args}
	}
	moved := local(program)
	moved.Cwd = filepath.Join(folder, "missing")
	inFile := local(program)
	inFile.Cwd = file
	silent := local("sleep", "60")
	soon := 200 * time.Millisecond
	silent.StartupTimeout = &soon

	for name, entry := range map[string]*config.Server{
		"missing": local("no-such-program"), "missing path": local(filepath.Join(folder, "no-such-program")),
		"missing npx": local("npx"),
		"no program":  local(file), "folder": local(folder), "ends": local("false"), "silent": silent,
		"missing folder": moved, "no folder": inFile,
		"unset": local("${NO_SUCH_VARIABLE}", "${NO_SUCH_VARIABLE}"), "no secret": local("${keyring:no-such-secret}"),
		"401": remote(web.URL + "/401"), "403": remote(web.URL + "/403"), "404": remote(web.URL + "/404"),
		"500":  remote(web.URL + "/500"),
		"gone": remote(gone.URL), "no address": remote("ftp://example.com"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry.Name = "a-server"
			m := NewManager(&config.Config{Toolboxes: []*config.Toolbox{{Name: "a-toolbox", Servers: []*config.Server{entry}}}},
				Options{Environ: []string{"PATH=" + os.Getenv("PATH")}})
			if name == "missing npx" {
				m.options.Environ = []string{"PATH=" + folder}
			}
			defer m.Shutdown(t.Context())
			_, err := m.Open(t.Context(), "a-toolbox", nil)
			if err == nil {
				t.Fatal("the toolbox was opened")
			}
			data := []string{
				"a-toolbox", "a-server", "no-such-program", "no-such-secret", "NO_SUCH_VARIABLE", "args[0]", "command",
				os.Getenv("PATH"), folder, file, entry.Command,
				filepath.Join(folder, "missing"), "'initialize'", "200ms", http.StatusText(500), downstream.Address(entry.URL),
				"SIGPIPE", "Node.js", "https://nodejs.org/en/download", "${NAME:-default}", "workbench",
			}
			p := m.Status().Servers[0].Problem
			wordstest.CheckNoEnglish(t, wordstest.MadeUp().Text(p.Message), data...)
			wordstest.CheckNoEnglish(t, wordstest.MadeUp().Text(p.Hint), data...)
			wordstest.CheckNoEnglish(t, wordstest.MadeUp().Error(err), data...)
			for _, line := range m.Log("a-toolbox", "a-server") {
				wordstest.CheckNoEnglish(t, wordstest.MadeUp().Text(line.Words()), data...)
			}
		})
	}
}
