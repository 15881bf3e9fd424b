package process

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"
)

// reparse returns the reparse data of an alias.
func reparse(tag uint32, texts ...string) []byte {
	body := binary.LittleEndian.AppendUint32(nil, 3)
	for _, unit := range utf16.Encode([]rune(strings.Join(texts, "\x00") + "\x00")) {
		body = binary.LittleEndian.AppendUint16(body, unit)
	}
	head := binary.LittleEndian.AppendUint32(nil, tag)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(body)))
	return append(append(head, 0, 0), body...)
}

func TestStoreAlias(t *testing.T) {
	const folder = `C:\Users\ada\AppData\Local\Microsoft\WindowsApps\`
	const desktop = "Microsoft.DesktopAppInstaller_8wekyb3d8bbwe"
	for _, test := range []struct {
		path        string
		data        []byte
		placeholder bool
	}{
		{"python3.exe", reparse(appExecLink, desktop, desktop+"!PythonRedirector",
			`C:\Program Files\WindowsApps\Microsoft.DesktopAppInstaller_1\AppInstallerPythonRedirector.exe`, "0"), true},
		{"winget.exe", reparse(appExecLink, desktop, desktop+"!winget",
			`C:\Program Files\WindowsApps\Microsoft.DesktopAppInstaller_1\winget.exe`, "0"), false},
		{"python.exe", reparse(appExecLink, "PythonSoftwareFoundation.Python.3.12_qbz5n2kfra8p0", "x!Python",
			`C:\Program Files\WindowsApps\PythonSoftwareFoundation\python.exe`, "0"), false},
		{"python.exe", reparse(0xa000000c, desktop, "x", `C:\y.exe`), false},
		{"python.exe", reparse(appExecLink, desktop), false},
		{"python.exe", nil, false},
		{"python.exe", reparse(appExecLink, desktop, "x", `C:\y.exe`)[:13], false},
	} {
		alias, ok := parseStoreAlias(test.data)
		if got := ok && alias.isStub(folder+test.path); got != test.placeholder {
			t.Errorf("%s with %+v: %v", test.path, alias, got)
		}
	}
}

func FuzzStoreAlias(f *testing.F) {
	f.Add(reparse(appExecLink, "a", "b", "c"))
	f.Fuzz(func(_ *testing.T, data []byte) { parseStoreAlias(data) })
}

// TestStoreAliasIsSkipped: a placeholder hides no program that comes later in PATH, and if there is none the error
// says what answers.
func TestStoreAliasIsSkipped(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	name := "python3"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, folder := range []string{first, second} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	stub := func(path string, _ []string) error {
		if strings.HasPrefix(path, first) {
			return storeStub(path)
		}
		return nil
	}
	path := func(folders ...string) []string {
		return []string{"PATH=" + strings.Join(folders, string(os.PathListSeparator))}
	}
	if got, err := lookPath("python3", path(first, second), "", stub); err != nil || !strings.HasPrefix(got, second) {
		t.Errorf("found is %q, %v", got, err)
	}
	if _, err := lookPath("python3", path(first), "", stub); err == nil ||
		!strings.Contains(err.Error(), "placeholder") || !strings.Contains(err.Error(), "Store") {
		t.Errorf("the error is %v", err)
	}
}
