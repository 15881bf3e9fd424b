package process_test

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

func TestName(t *testing.T) {
	for command, want := range map[string]string{
		"npx": "npx", "/usr/bin/npx": "npx", `C:\node\NPX.CMD`: "npx", "run.bat": "run", "UVX.exe": "uvx",
		"python3.12": "python3.12", "": "",
	} {
		if got := process.Name(command); got != want {
			t.Errorf("%q is called %q, want %q", command, got, want)
		}
	}
}
