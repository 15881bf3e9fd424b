package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestMain lets the test binary act as the program and as the servers that it starts.
func TestMain(m *testing.M) {
	testscript.Main(atHome{m}, map[string]func(){
		"workbench-desktop": func() {
			os.Exit(run(testPrinter(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
		"fakeserver": fake,
	})
}

// atHome runs the tests in a home folder of their own.
type atHome struct{ m *testing.M }

// Run implements [testscript.TestingM].
func (a atHome) Run() int { return built.AtHome(func(string) int { return a.m.Run() }) }

// fake is the downstream server "fakeserver [script.json]". Its script is in a file because, in the configuration, it
// would be JSON in a string in JSON.
func fake() {
	script := "{}"
	if len(os.Args) > 1 {
		raw, err := os.ReadFile(os.Args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(64)
		}
		script = string(raw)
	}
	fakeserver.Main(script)
}

// TestScripts runs testdata/script. Each file is what a user or a client does with the program.
func TestScripts(t *testing.T) { testscript.Run(t, scripts("")) }

// scripts returns how to run testdata/script, or only some of its files. bus is the address of the session bus, if the
// scripts need one.
func scripts(bus string, only ...string) testscript.Params {
	p := testscript.Params{
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"asks":        checkAsks,
			"rpc":         runTranscript,
			"edit-myself": editMyself,
			"first-start": firstStart,
			"gone":        checkGone,
			"lines":       checkLines,
			"absent":      checkAbsent,
			"burst":       checkBurst,
			"nothing":     checkNothing,
			"status":      checkStatus,
			"translated":  checkTranslated,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// The machine's own configuration must not affect the tests.
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_CONFIG_HOME", "")
			env.Setenv("GOCOVERDIR", os.Getenv("GOCOVERDIR"))
			if bus != "" {
				env.Setenv("DBUS_SESSION_BUS_ADDRESS", bus)
			}
			return nil
		},
	}
	for _, name := range only {
		p.Files = append(p.Files, filepath.Join("testdata", "script", name+".txtar"))
	}
	if len(only) == 0 {
		p.Dir = "testdata/script"
	}
	return p
}
