//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The probe is the program as users have it, except that Fyne's main loop records how long each of its calls takes. It
// is built with a changed copy of Fyne (go build -modfile), so the released program has none of this.

// loopChanges are the changes of Fyne's loop.go. If a text is not found, Fyne has changed, and the change must be
// adapted.
var loopChanges = [][2]string{
	{"\t\tcase f := <-funcQueue.Out():\n\t\t\tf.f()\n", "\t\tcase f := <-funcQueue.Out():\n\t\t\tprobed(probeDo, f.f)\n"},
	{"\t\t\td.pollEvents()\n", "\t\t\tprobed(probeEvents, d.pollEvents)\n"},
	{"\t\t\td.animation.TickAnimations()\n", "\t\t\tprobed(probeAnimation, d.animation.TickAnimations)\n"},
	{"\tif canvas.EnsureMinSize() {\n\t\tw.shouldExpand = true\n\t}\n",
		"\tprobed(probeLayout, func() {\n\t\tif canvas.EnsureMinSize() {\n\t\t\tw.shouldExpand = true\n\t\t}\n\t})\n"},
	{"\tfreed = canvas.FreeDirtyTextures() > 0\n",
		"\tprobed(probePaint, func() { freed = canvas.FreeDirtyTextures() > 0 })\n"},
	{"\tcanvas.paint(canvas.Size())\n", "\tprobed(probePaint, func() { canvas.paint(canvas.Size()) })\n"},
	{"\t\tview.SwapBuffers()\n", "\t\tprobed(probeSwap, view.SwapBuffers)\n"},
}

// probedLoop returns the changed loop.go of a copy of Fyne.
func probedLoop(t *testing.T, fyne string) string {
	t.Helper()
	loop := read(t, filepath.Join(fyne, "internal", "driver", "glfw", "loop.go"))
	for _, change := range loopChanges {
		if strings.Count(loop, change[0]) != 1 {
			t.Fatalf("Fyne's loop.go does not have this exactly once:\n%s", change[0])
		}
		loop = strings.Replace(loop, change[0], change[1], 1)
	}
	return loop
}

// The probe is rarely built, so this checks that it still fits Fyne.
func TestProbeFitsFyne(t *testing.T) {
	if loop := probedLoop(t, list(t, "-m", "-f", "{{.Dir}}", "fyne.io/fyne/v2")); strings.Count(loop, "probed(") != 7 {
		t.Errorf("the loop measures %d calls, want 7", strings.Count(loop, "probed("))
	}
}

// buildProbe builds the program with the changed loop, and the server for it.
func buildProbe(t *testing.T) (program, server string) {
	t.Helper()
	fyne, folder := filepath.Join(t.TempDir(), "fyne"), t.TempDir()
	if err := os.CopyFS(fyne, os.DirFS(list(t, "-m", "-f", "{{.Dir}}", "fyne.io/fyne/v2"))); err != nil {
		t.Fatal(err)
	}
	driver := filepath.Join(fyne, "internal", "driver", "glfw")
	loop := probedLoop(t, fyne)
	write(t, filepath.Join(driver, "loop.go"), loop)
	write(t, filepath.Join(driver, "probe.go"), read(t, filepath.Join("testdata", "probe.go")))

	module := list(t, "-m", "-f", "{{.GoMod}}")
	modfile := filepath.Join(folder, "go.mod")
	write(t, modfile, read(t, module)+"\nreplace fyne.io/fyne/v2 => "+fyne+"\n")
	write(t, filepath.Join(folder, "go.sum"), read(t, filepath.Join(filepath.Dir(module), "go.sum")))
	built := filepath.Join(folder, "workbench-desktop")
	build := exec.Command("go", "build", "-modfile", modfile, "-o", built,
		"github.com/workbench-mcp/workbench-desktop/cmd/workbench-desktop")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, said)
	}
	server = filepath.Join(folder, "probeserver")
	if said, err := exec.Command("go", "build", "-o", server, "./testdata/probeserver").CombinedOutput(); err != nil {
		t.Fatalf("building the servers: %v\n%s", err, said)
	}
	return built, server
}

// list returns the output of go list.
func list(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	_ = os.Chmod(path, 0o600) // the go command makes downloaded files read-only
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
