package dock

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGLFWIsAsWeKnowIt checks that GLFW has the class that gets our methods, and that the method of its own that we
// rely on has not changed: it asks each window to close and answers "cancel".
func TestGLFWIsAsWeKnowIt(t *testing.T) {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-gl/glfw/v3.4/glfw").Output()
	if err != nil {
		t.Fatalf("looking for GLFW: %v", err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "glfw", "src", "cocoa_init.m"))
	if err != nil {
		t.Fatal(err)
	}
	_, class, found := strings.Cut(string(source), "@implementation "+glfwDelegate+"\n")
	if !found {
		t.Fatalf("there is no class %s", glfwDelegate)
	}
	class, _, _ = strings.Cut(class, "\n@end")
	if want := regexp.MustCompile(`(?s)` + terminate +
		`[^}]*_glfwInputWindowCloseRequest\(window\);\s*return NSTerminateCancel;\s*}`); !want.MatchString(class) {
		t.Errorf("%s has changed:\n%s", terminate, class)
	}
	if first, _, _ := strings.Cut(reopen, ":"); strings.Contains(class, first) {
		t.Errorf("GLFW has a method %s of its own", reopen)
	}
	if strings.Contains(class, "openURLs") {
		t.Errorf("GLFW has a method %s of its own", openURLs)
	}
	if !strings.Contains(string(source), "[NSApp setDelegate:_glfw.ns.delegate]") {
		t.Error("GLFW sets another delegate")
	}
}

// TestLoggingOutIsNotStopped checks that the program cancels only what it ends by itself.
func TestLoggingOutIsNotStopped(t *testing.T) {
	var done string
	requests := noting{&done}
	if got := toQuit(requests, false); got != terminateCancel || done != "quit " {
		t.Errorf("Cmd+Q: %d, %s", got, done)
	}
	if got := toQuit(requests, true); got != terminateNow || done != "quit end " {
		t.Errorf("logging out: %d, %s", got, done)
	}
}

// noting are [Requests] that are noted.
type noting struct{ done *string }

func (n noting) Reopen()     { *n.done += "reopen " }
func (n noting) Open(string) { *n.done += "open " }
func (n noting) Quit()       { *n.done += "quit " }
func (n noting) End()        { *n.done += "end " }
