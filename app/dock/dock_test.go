package dock

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGLFWIsAsWeKnowIt checks that GLFW has the class that gets the methods, and that its own methods have not changed: each window is asked to
// close, and the answer is "cancel".
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
	if want := regexp.MustCompile(`(?s)` + terminate + `[^}]*_glfwInputWindowCloseRequest\(window\);\s*return NSTerminateCancel;\s*}`); !want.MatchString(class) {
		t.Errorf("%s does something else now:\n%s", terminate, class)
	}
	if first, _, _ := strings.Cut(reopen, ":"); strings.Contains(class, first) {
		t.Errorf("there is a method %s already", reopen)
	}
	if strings.Contains(class, "openURLs") {
		t.Errorf("there is a method %s already", openURLs)
	}
	if !strings.Contains(string(source), "[NSApp setDelegate:_glfw.ns.delegate]") {
		t.Error("the object that macOS asks is another one")
	}
}
