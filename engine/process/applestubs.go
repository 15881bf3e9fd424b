package process

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// appleStubs recognises programs of macOS that only pass on to another program, and offer to install it if it is
// missing: python3, git and make pass on to Apple's developer tools, java to a Java. They are always in /usr/bin, so
// they would hide the programs that people have installed, and a server that starts one waits for a window of Apple's.
type appleStubs struct {
	root string // the folder of the whole system: "/" but for tests
}

// Libraries that only such programs use.
const (
	toolsLibrary = "libxcselect.dylib"
	javaLibrary  = "JavaLaunching.framework"
)

// maxStub is how much of a program is searched for the name of a library. All stubs are smaller.
const maxStub = 512 << 10

// check returns an error if path is such a program and what it passes on to is not installed.
func (s appleStubs) check(path string, env []string) error {
	if filepath.Dir(path) != filepath.Join(s.root, "usr", "bin") {
		return nil
	}
	name := filepath.Base(path)
	switch s.library(path) {
	case toolsLibrary:
		if name == "xcode-select" || s.hasTool(name, env) {
			return nil
		}
		return words.NewError("process.apple_tools", "Command", name, "Path", path).Because(ErrNotFound)
	case javaLibrary:
		if s.hasJava(name, env) {
			return nil
		}
		return words.NewError("process.apple_java", "Command", name, "Path", path).Because(ErrNotFound)
	}
	return nil
}

// library returns which of the libraries a program uses; "" for every other program.
func (s appleStubs) library(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxStub))
	if err != nil {
		return ""
	}
	for _, library := range []string{toolsLibrary, javaLibrary} {
		if bytes.Contains(text, []byte(library)) {
			return library
		}
	}
	return ""
}

// hasTool reports whether Apple's developer tools are installed and have a program.
func (s appleStubs) hasTool(name string, env []string) bool {
	folders := []string{
		filepath.Join(s.root, "Library", "Developer", "CommandLineTools"),
		filepath.Join(s.root, "Applications", "Xcode.app", "Contents", "Developer"),
	}
	if chosen, err := os.Readlink(filepath.Join(s.root, "var", "db", "xcode_select_link")); err == nil {
		folders = append(folders, chosen)
	}
	if chosen := Getenv(env, "DEVELOPER_DIR"); filepath.IsAbs(chosen) {
		folders = append(folders, chosen)
	}
	for _, folder := range folders {
		for _, bin := range []string{"usr/bin", "Toolchains/XcodeDefault.xctoolchain/usr/bin"} {
			if _, err := os.Stat(filepath.Join(folder, bin, name)); err == nil {
				return true
			}
		}
	}
	return false
}

// hasJava reports whether there is a Java to pass on to.
func (s appleStubs) hasJava(name string, env []string) bool {
	if home := Getenv(env, "JAVA_HOME"); filepath.IsAbs(home) {
		if _, err := os.Stat(filepath.Join(home, "bin", name)); err == nil {
			return true
		}
	}
	for _, folder := range []string{s.root, Getenv(env, "HOME")} {
		found, _ := filepath.Glob(filepath.Join(folder, "Library", "Java", "JavaVirtualMachines", "*", "Contents", "Home",
			"bin", name))
		if filepath.IsAbs(folder) && len(found) > 0 {
			return true
		}
	}
	return false
}
