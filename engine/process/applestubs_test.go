package process

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// mac is a folder with files as macOS has them.
type mac struct {
	t    *testing.T
	root string
}

func newMac(t *testing.T) mac {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	m := mac{t, t.TempDir()}
	for _, name := range []string{"python3", "git", "xcode-select"} {
		m.program("usr/bin/"+name, "\xcf\xfa\xed\xfe.../usr/lib/libxcselect.dylib...")
	}
	m.program("usr/bin/java", "\xcf\xfa\xed\xfe.../System/Library/PrivateFrameworks/JavaLaunching.framework/Versions/A/JavaLaunching...")
	m.program("usr/bin/ruby", "\xcf\xfa\xed\xfe.../usr/lib/libruby.dylib...")
	return m
}

func (m mac) program(path, text string) string {
	m.t.Helper()
	path = filepath.Join(m.root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		m.t.Fatal(err)
	}
	return path
}

// find looks for a program there as on a Mac.
func (m mac) find(command string, env ...string) (string, error) {
	env = append([]string{"PATH=" + m.root + "/usr/bin:" + m.root + "/opt/homebrew/bin", "HOME=" + m.root + "/Users/me"},
		env...)
	path, err := lookPath(command, env, "", appleStubs{m.root}.check)
	return strings.TrimPrefix(path, m.root), err
}

// TestAppleStubs checks that a stub is passed over, and what makes it a program.
func TestAppleStubs(t *testing.T) {
	m := newMac(t)
	for _, command := range []string{"python3", "git", m.root + "/usr/bin/python3", "java"} {
		if path, err := m.find(command); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s is %s, %v", command, path, err)
		}
	}
	if _, err := m.find("python3"); err == nil || !strings.Contains(err.Error(), "xcode-select --install") {
		t.Errorf("the error does not say what to do: %v", err)
	}
	for _, command := range []string{"ruby", "xcode-select"} {
		if path, err := m.find(command); path != "/usr/bin/"+command {
			t.Errorf("%s is %s, %v", command, path, err)
		}
	}

	m.program("opt/homebrew/bin/python3", "a real one")
	if path, err := m.find("python3"); path != "/opt/homebrew/bin/python3" {
		t.Errorf("the one that the user has installed is not found behind the stub: %s, %v", path, err)
	}
	m.program("Library/Developer/CommandLineTools/usr/bin/python3", "")
	if path, err := m.find("python3"); path != "/usr/bin/python3" {
		t.Errorf("with the developer tools: %s, %v", path, err)
	}
	if path, err := m.find("git"); err == nil {
		t.Errorf("the developer tools there have no git, and it is %s", path)
	}
	elsewhere := filepath.Dir(filepath.Dir(
		filepath.Dir(m.program("Xcode-beta/Toolchains/XcodeDefault.xctoolchain/usr/bin/git", ""))))
	elsewhere = filepath.Dir(filepath.Dir(elsewhere))
	if path, err := m.find("git", "DEVELOPER_DIR="+elsewhere); path != "/usr/bin/git" {
		t.Errorf("with tools that a variable names: %s, %v", path, err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(m.root, "var", "db"), 0o700),
		os.Symlink(elsewhere, filepath.Join(m.root, "var", "db", "xcode_select_link"))); err != nil {
		t.Fatal(err)
	}
	if path, err := m.find("git"); path != "/usr/bin/git" {
		t.Errorf("with tools that are chosen: %s, %v", path, err)
	}
	m.program("Users/me/Library/Java/JavaVirtualMachines/temurin-21.jdk/Contents/Home/bin/java", "")
	if path, err := m.find("java"); path != "/usr/bin/java" {
		t.Errorf("with a Java of the user: %s, %v", path, err)
	}
}
