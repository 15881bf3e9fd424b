package packaging_test

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// installed is the Debian package and the folder of its programs.
type installed struct{ deb, bin string }

func (p installed) window() string { return filepath.Join(p.bin, "workbench-desktop") }
func (p installed) engine() string { return filepath.Join(p.bin, "workbench-engine") }

// sizes checks the size of the programs in bytes, and that they are stripped.
func (p installed) sizes(t *testing.T) {
	for program, most := range map[string]int64{p.window(): 45_000_000, p.engine(): 24_000_000} {
		info, err := os.Stat(program)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > most {
			t.Errorf("%s has %d bytes, want %d at most", filepath.Base(program), info.Size(), most)
		}
		file := open(t, program)
		for _, section := range []string{".symtab", ".debug_info"} {
			if file.Section(section) != nil {
				t.Errorf("%s has the section %s, so it is not stripped", filepath.Base(program), section)
			}
		}
	}
}

// languages checks that both programs have every language.
func (p installed) languages(t *testing.T) {
	const sentence = words.Code("help.clients.short")
	files, err := filepath.Glob(filepath.Join("..", "assets", "translations", "help.*.json"))
	if err != nil || len(files) < 2 {
		t.Fatalf("the languages are %q, %v", files, err)
	}
	for _, program := range []string{p.engine(), p.window()} {
		for _, file := range files {
			tag := strings.Split(filepath.Base(file), ".")[1]
			want := words.In(tag).Text(sentence.Text())
			help := exec.CommandContext(t.Context(), program, "--help")
			help.Env = append(os.Environ(), "HOME="+t.TempDir(), "LC_ALL="+tag)
			if said, err := help.CombinedOutput(); err != nil || !strings.Contains(string(said), want) {
				t.Errorf("%s in %q does not say %q: %v\n%s", filepath.Base(program), tag, want, err, said)
			}
		}
	}
}

// packageOf returns, by library, the package of Debian and Ubuntu that contains it.
func packageOf() map[string]string {
	return map[string]string{
		"libc.so.6": "libc6", "libm.so.6": "libc6", "libdl.so.2": "libc6", "libpthread.so.0": "libc6", "librt.so.1": "libc6",
		"libGL.so.1": "libgl1", "libEGL.so.1": "libegl1",
		"libX11.so.6": "libx11-6", "libXcursor.so.1": "libxcursor1", "libXi.so.6": "libxi6",
		"libXinerama.so.1": "libxinerama1", "libXrandr.so.2": "libxrandr2",
		"libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0",
		"libwayland-egl.so.1": "libwayland-egl1",
		"libxkbcommon.so.0":   "libxkbcommon0",
	}
}

// libraries checks that the package depends on all libraries that the program with the window is linked with
// or needs to open a window, and that the engine is linked with nothing else.
func (p installed) libraries(t *testing.T) {
	engine := open(t, p.engine())
	if needed, err := engine.ImportedLibraries(); err != nil || len(needed) > 0 || engine.Section(".interp") != nil {
		t.Errorf("workbench-engine needs %q, %v; it should need nothing", needed, err)
	}

	window := open(t, p.window())
	needed, err := window.ImportedLibraries()
	if err != nil || !slices.Contains(needed, "libGL.so.1") {
		t.Fatalf("workbench-desktop needs %q, %v", needed, err)
	}
	// Libraries that GLFW loads by itself and needs, on X11 and on Wayland. On Wayland, EGL draws.
	loaded := []string{"libX11.so.6", "libEGL.so.1", "libwayland-client.so.0", "libwayland-cursor.so.0",
		"libwayland-egl.so.1", "libxkbcommon.so.0"}
	// Libraries that it can do without or does not load here: other kinds of OpenGL, window frames, Vulkan.
	optional := []string{"libXcursor.so.1", "libXi.so.6", "libXinerama.so.1", "libXrandr.so.2"}
	others := regexp.MustCompile(`^lib(X11-xcb|Xext|Xrender|Xxf86vm|GLX|OpenGL|GLES.*|OSMesa|decor-0|vulkan)\.so\.`)
	depends, recommends := p.field(t, "Depends"), p.field(t, "Recommends")
	check := func(library string, declared []string, field string) {
		t.Helper()
		name, known := packageOf()[library]
		if !known || !slices.Contains(declared, name) {
			t.Errorf("workbench-desktop needs %s of the package %q, which is not in %s: %q", library, name, field, declared)
		}
		if said, err := exec.CommandContext(t.Context(), "dpkg-query", "--search", "*/"+library).Output(); err == nil &&
			!strings.Contains("\n"+string(said), "\n"+name+":") {
			t.Errorf("%s is in another package here than %s: %s", library, name, said)
		}
	}
	for _, library := range slices.Concat(needed, loaded) {
		check(library, depends, "Depends")
	}
	for _, library := range optional {
		check(library, slices.Concat(depends, recommends), "Recommends")
	}
	program, err := os.ReadFile(p.window())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`\x00lib[A-Za-z0-9_+-]+\.so\.[0-9]+\x00`).FindAll(program, -1) {
		name := strings.Trim(string(name), "\x00")
		if !slices.Contains(slices.Concat(needed, loaded, optional), name) && !others.MatchString(name) {
			t.Errorf("workbench-desktop may load %s, and this test does not know whether the package has to ask for it", name)
		}
	}

	symbols, err := window.ImportedSymbols()
	if err != nil {
		t.Fatal(err)
	}
	const libc = "GLIBC_2.34" // as in "libc6 (>= 2.34)"
	for _, symbol := range symbols {
		if version := symbol.Version; strings.HasPrefix(version, "GLIBC_") && newer(version, libc) {
			t.Errorf("workbench-desktop needs %s of %s, and the package asks for %s only", symbol.Name, version, libc)
		}
	}
	if !strings.Contains(read(t, "packaging", "linux", "nfpm.yaml"),
		"libc6 (>= "+strings.TrimPrefix(libc, "GLIBC_")+")") {
		t.Errorf("nfpm.yaml asks for another libc6 than %s", libc)
	}
}

// newer reports whether one version of the GNU C library is newer than another.
func newer(a, b string) bool {
	parts := func(version string) (numbers []int) {
		for _, part := range strings.Split(strings.TrimPrefix(version, "GLIBC_"), ".") {
			number := 0
			for _, digit := range part {
				number = 10*number + int(digit-'0')
			}
			numbers = append(numbers, number)
		}
		return numbers
	}
	return slices.Compare(parts(a), parts(b)) > 0
}

// field returns the packages that a field of the Debian package names, without versions.
func (p installed) field(t *testing.T, field string) (names []string) {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), "dpkg-deb", "--field", p.deb, field).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(said), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), " ")
		names = append(names, name)
	}
	return names
}

// connect checks that the program with the window enters the engine into the file of an AI app, and that the
// entry starts a program that loads no library for windows.
func (p installed) connect(t *testing.T) {
	home := t.TempDir()
	environment := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "WORKBENCH_CONFIG=")
	for _, arguments := range [][]string{{"config", "add-toolbox", "dev"}, {"connect", "cursor", "--yes"}} {
		command := exec.CommandContext(t.Context(), p.window(), arguments...)
		command.Env = environment
		if said, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", arguments, err, said)
		}
	}
	var file struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	text, err := os.ReadFile(filepath.Join(home, ".cursor", "mcp.json"))
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	entry := file.Servers["workbench"]
	if err != nil || entry.Command != p.engine() {
		t.Fatalf("the entry is %s, %v; want the program %s", text, err, p.engine())
	}
	if maps := p.answers(t, environment, entry.Command, entry.Args...); strings.Contains(maps, ".so") {
		t.Errorf("the engine has libraries in its memory:\n%s", maps)
	}
	// The same check of the program with the window must find them.
	if maps := p.answers(t, environment, p.window(), entry.Args...); !strings.Contains(maps, "libGL.so") {
		t.Errorf("the program with the window has no libGL in its memory, so this test sees nothing:\n%s", maps)
	}
}

// answers starts an engine as an AI app does, and returns its memory map after it has answered.
func (p installed) answers(t *testing.T, environment []string, program string, args ...string) string {
	t.Helper()
	engine := exec.CommandContext(t.Context(), program, append(args, "--link=off")...)
	engine.Env = environment
	var said bytes.Buffer
	engine.Stderr = &said
	stdin, err := engine.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := engine.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdin.Write([]byte(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")); err != nil {
		t.Fatal(err)
	}
	answer, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.Contains(answer, `"serverInfo"`) {
		_ = engine.Wait() // so that its output is complete; the reason for its end is in there
		t.Fatalf("%s answers %q, %v\n%s", filepath.Base(program), answer, err, &said)
	}
	maps, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(engine.Process.Pid), "maps"))
	if err != nil {
		t.Fatal(err)
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := engine.Wait(); err != nil {
		t.Errorf("%s ends with %v\n%s", filepath.Base(program), err, &said)
	}
	return string(maps)
}

func open(t *testing.T, program string) *elf.File {
	t.Helper()
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}
