package packaging_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/autostart"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
)

// installer returns the script of the Windows installer with its names filled in.
func installer(t *testing.T) string {
	t.Helper()
	script := read(t, "packaging", "windows", "installer.nsi")
	for _, name := range regexp.MustCompile(`(?m)^!define (\w+) "(.*)"$`).FindAllStringSubmatch(script, -1) {
		script = strings.ReplaceAll(script, "${"+name[1]+"}", name[2])
	}
	return script
}

// TestInstallerOfWindows checks that the installer and the program use the same names, and that the installer
// removes everything that it writes.
func TestInstallerOfWindows(t *testing.T) {
	script := installer(t)
	const program = `$INSTDIR\workbench-desktop.exe`
	type value = [3]string
	var values []value
	for _, line := range regexp.MustCompile(
		`(?m)^\s*WriteRegStr HKCU "(.*?)" "(.*?)" ["'](.*)["']$`).FindAllStringSubmatch(script, -1) {
		if strings.HasPrefix(line[1], links.ClassKey) {
			values = append(values, value(line[1:]))
		}
	}
	if want := links.ClassValues(links.ClassKey, program); !slices.Equal(values, want) {
		t.Errorf("the installer has links opened with\n%q, the program with\n%q", values, want)
	}
	for what, want := range map[string]string{
		"the ID":      "!define ID \"" + id + "\"",
		"the website": "!define WEBSITE " + find(t, read(t, "FyneApp.toml"), `^Website = (.*)$`),
		"the publisher": "!define PUBLISHER " +
			find(t, read(t, "packaging", "windows", "workbench.rc"), `VALUE "CompanyName", (.*)$`),
		"the ending": `System.FileName:~>"` +
			find(t, source(t, "engine", "manage", "file", "share"), `^const Ending = "(.*)"$`) + `"`,
		"start at login": `ReadRegStr $0 HKCU "` +
			find(t, read(t, "engine", "manage", "apps", "autostart", "system_windows.go"), "runKey += `(.*)`") + `" "` +
			autostart.Name + `"`,
		"its switch": `DeleteRegValue HKCU "` +
			find(t, read(t, "engine", "manage", "apps", "autostart", "system_windows.go"), "approvedKey += `(.*)`") + `" "` +
			autostart.Name + `"`,
		"what it starts":    `'"` + program + `" ` + autostart.HiddenFlag + `'`,
		"the name":          `Name "` + find(t, read(t, "FyneApp.toml"), `^Name = "(.*)"$`) + `"`,
		"the rights it has": "RequestExecutionLevel user",
	} {
		if !strings.Contains(script, want) {
			t.Errorf("%s: the installer does not have %s", what, want)
		}
	}
	for _, other := range []string{"HKLM", "HKCR", "SHCTX", "RMDir /r"} {
		if strings.Contains(script, other) {
			t.Errorf("the installer has %s: it is for the user alone, and removes only what it knows", other)
		}
	}
	written := map[string]bool{}
	for _, line := range regexp.MustCompile(`WriteReg\w+ HKCU "(.*?)"`).FindAllStringSubmatch(script, -1) {
		written[line[1]] = true
	}
	for key := range written {
		removed := false
		for parent := key; parent != ""; parent = parent[:max(strings.LastIndexByte(parent, '\\'), 0)] {
			removed = removed || regexp.MustCompile(`DeleteRegKey (/\w+ )?HKCU "`+regexp.QuoteMeta(parent)+
				`"`).MatchString(script)
		}
		if !removed {
			t.Errorf("the installer writes %s and does not remove it", key)
		}
	}
	zipped := strings.Fields(find(t, read(t, "packaging", "windows", "build"), `zip -q -X "\$archive" (.*)\)$`))
	var installed []string
	for _, line := range regexp.MustCompile(`(?m)^\t!insertmacro \$\{MACRO\} "(.*)"$`).FindAllStringSubmatch(script, -1) {
		installed = append(installed, line[1])
	}
	if !slices.Equal(installed, zipped) {
		t.Errorf("%q are installed, and %q zipped", installed, zipped)
	}
}

// TestLanguagesOfTheInstaller checks that the installer has the languages of the program, and uses the same
// names for what is in the window.
func TestLanguagesOfTheInstaller(t *testing.T) {
	names := map[string]string{"en": "English", "de": "German", "fr": "French", "es": "Spanish", "pt-BR": "PortugueseBR",
		"zh-Hans": "SimpChinese", "ja": "Japanese"}
	want := languages(t)
	if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, want) {
		t.Fatalf("this test knows the languages %q, the program speaks %q", got, want)
	}
	script, texts := installer(t), read(t, "packaging", "windows", "texts.nsh")
	for tag, name := range names {
		if !strings.Contains(script, `!insertmacro MUI_LANGUAGE "`+name+`"`) {
			t.Errorf("the installer does not speak %s", name)
		}
		_, block, ok := strings.Cut(texts, "${LANG_"+strings.ToUpper(name)+"} \\\n")
		if !ok {
			t.Errorf("the installer has no texts in %s", name)
			continue
		}
		block, _, _ = strings.Cut(block, "\n\n")
		data, err := os.ReadFile(filepath.Join("..", "assets", "translations", tag+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var window map[string]any
		if err := json.Unmarshal(data, &window); err != nil {
			t.Fatal(err)
		}
		for key, times := range map[string]int{"Quit": 2, "AI apps": 1, "Disconnect all…": 1} {
			if name, ok := window[key].(string); !ok || strings.Count(block, name) < times {
				t.Errorf("%s: the installer does not call %q %q", tag, key, window[key])
			}
		}
	}
}

// TestInstallerIsTheSame makes the installer of stand-ins twice. Every byte is the same.
func TestInstallerIsTheSame(t *testing.T) {
	if _, err := exec.LookPath("makensis"); err != nil {
		t.Skip("NSIS is missing; .ci/setup test installs it")
	}
	stage, out := t.TempDir(), t.TempDir()
	script := installer(t)
	for _, line := range regexp.MustCompile(`(?m)^\t!insertmacro \$\{MACRO\} "(.*)"$`).FindAllStringSubmatch(script, -1) {
		if err := os.WriteFile(filepath.Join(stage, line[1]), []byte(line[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Its pictures are made at another time each.
	real, err := exec.LookPath("convert")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, "convert"), []byte("#!/bin/sh\n"+real+` "$@" || exit
for last; do :; done
touch --date "$MADE" "${last#BMP3:}"
`), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", out+string(os.PathListSeparator)+os.Getenv("PATH"))
	var made [2][]byte
	for i, name := range []string{"one.exe", "other.exe"} {
		t.Setenv("MADE", []string{"2020-01-01", "2024-02-02"}[i])
		bash(t, "-c", `touch --date @1700000000 "$0"/* && windows/installer "$0" 1.2.3 "$1" -DQUICK`, stage,
			filepath.Join(out, name))
		if made[i], err = os.ReadFile(filepath.Join(out, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("the installer is not the same when it is made again")
	}
}
