package environ

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/windows/registry"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

func TestRegistryPath(t *testing.T) {
	const path = `Software\WorkbenchEnvironTest`
	key, _, err := registry.CreateKey(registry.CURRENT_USER, path, registry.SET_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer registry.DeleteKey(registry.CURRENT_USER, path)
	defer key.Close()
	t.Setenv("WORKBENCH_TEST_ROOT", `C:\tools`)
	if err := key.SetExpandStringValue("Path", `%WORKBENCH_TEST_ROOT%\bin;C:\other`); err != nil {
		t.Fatal(err)
	}
	if got := registryPath(registry.CURRENT_USER, path); got != `C:\tools\bin;C:\other` {
		t.Errorf("PATH is %q", got)
	}
	if err := key.SetStringValue("Path", `%WORKBENCH_TEST_ROOT%\bin`); err != nil {
		t.Fatal(err)
	}
	if got := registryPath(registry.CURRENT_USER, path); got != `%WORKBENCH_TEST_ROOT%\bin` {
		t.Errorf("a plain text is %q", got)
	}
	if got := registryPath(registry.CURRENT_USER, path+"None"); got != "" {
		t.Errorf("without the key, PATH is %q", got)
	}
}

// TestRegistryExtendsPath: programs that were installed since our parent was started are found, and the name
// of the variable stays as it is.
func TestRegistryExtendsPath(t *testing.T) {
	env, report := Complete(t.Context(), []string{`Path=C:\given`, `USERPROFILE=C:\users\me`})
	if report.Problem != nil {
		t.Skip(report.Problem) // a bare Wine has none
	}
	folders := strings.Split(process.Getenv(env, "PATH"), ";")
	if folders[0] != `C:\given` || len(folders) < 2 {
		t.Errorf("PATH is %q", folders)
	}
	if i := slices.IndexFunc(env, func(entry string) bool { return strings.HasPrefix(entry, "Path=") }); i < 0 {
		t.Errorf("the environment is %q", env)
	}
}
