package environ

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestNVMDefault(t *testing.T) {
	home := nvmHome(t, nil)
	nvm := filepath.Join(home, ".nvm")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(nvm, "alias", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("mine", "9")
	write("loop", "loop2")
	write("loop2", "loop")
	write("huge", strings.Repeat("9", 10_000))
	for text, want := range map[string]string{
		"lts/*\n": "v22.11.0", "22": "v22.11.0", "v22.11": "v22.11.0", "v9.0.0": "v9.0.0", "mine": "v9.0.0\n",
		"node": "v24.1.0", "stable": "v24.1.0", "": "v24.1.0", "v18": "v24.1.0", "loop": "v24.1.0",
		"../../../etc/passwd": "v24.1.0", "huge": "v24.1.0",
	} {
		write("default", text)
		if got, want := nvmDefault(nvm),
			filepath.Join(nvm, "versions", "node", strings.TrimSpace(want), "bin"); got != want {
			t.Errorf("with the default %q, the folder is %s, want %s", text, got, want)
		}
	}
	if got := nvmDefault(filepath.Join(home, "no-such")); got != "" {
		t.Errorf("without nvm, the folder is %s", got)
	}
	if got := nvmDefault("relative"); got != "" {
		t.Errorf("with a relative folder, the folder is %s", got)
	}
}

func TestWellKnownFolders(t *testing.T) {
	home := nvmHome(t, map[string]string{
		".volta/bin/node": "", ".local/bin/uvx": "", ".local/share/fnm/aliases/default/bin/node": "", ".bun/bin/bun": "",
		"elsewhere/pnpm/pnpm": "", ".local/share/mise/shims/node": "", "Library/pnpm/pnpm": "",
		".local/share/nvm/v9.11.2/bin/node": "", ".local/share/nvm/v22.12.0/bin/node": "", ".proto/shims/npx": "",
		".cargo": "a file, not a folder",
	})
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "PNPM_HOME=" + filepath.Join(home, "elsewhere", "pnpm"),
		"VOLTA_HOME=relative"}
	var inHome []string
	for _, folder := range wellKnown("linux", env) {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(folder.Path), filepath.ToSlash(home)+"/"); ok {
			inHome = append(inHome, folder.Source+" "+rest)
		}
	}
	want := []string{"volta .volta/bin", "nvm .nvm/versions/node/v22.11.0/bin", "nvm .local/share/nvm/v22.12.0/bin",
		"fnm .local/share/fnm/aliases/default/bin", "mise .local/share/mise/shims", "proto .proto/shims",
		"uv and pipx .local/bin", "bun .bun/bin", "pnpm elsewhere/pnpm"}
	if !slices.Equal(inHome, want) {
		t.Errorf("found are %q, want %q", inHome, want)
	}
	// the variables of Windows are not set here
	for goos, least := range map[string]int{"linux": 25, "darwin": 25, "windows": 5} {
		if got := candidates(goos, env); len(got) < least {
			t.Errorf("%s has only %d", goos, len(got))
		}
	}
}

func TestMergePath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folders are those of Unix")
	}
	for _, test := range []struct{ given, shell, want string }{
		{"/usr/bin:/bin", "/home/me/bin:/usr/local/bin:/usr/bin", "/home/me/bin:/usr/local/bin:/usr/bin:/bin"},
		{"/venv/bin:/usr/bin:/bin", "/home/me/bin:/usr/local/bin:/bin",
			"/venv/bin:/usr/bin:/bin:/home/me/bin:/usr/local/bin"},
		{"", "/a:/b/:/b:/a", "/a:/b/"},
		{"/usr/bin", "", "/usr/bin"},
		{"", "", ""},
		{"/usr/bin:.:~/bin::bin:/a\n", "/c", "/c:/usr/bin"},
	} {
		if got := strings.Join(mergePath(splitPath(test.given), splitPath(test.shell)), ":"); got != test.want {
			t.Errorf("%q with %q is %q, want %q", test.given, test.shell, got, test.want)
		}
	}
	if got := splitPath(strings.Repeat("/x"+strings.Repeat("y", 100)+":/z:", 5000)); len(got) != 2 {
		t.Errorf("repeated folders are kept: %d", len(got))
	}
}

// TestFnmLinksAreFollowed: fnm makes a separate link for each shell.
func TestFnmLinksAreFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	home := newHome(t, map[string]string{"versions/22/bin/node": ""})
	link := filepath.Join(home, "fnm_multishells", "123_456")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "versions", "22"), link); err != nil {
		t.Skip(err)
	}
	if got := splitPath(filepath.Join(link, "bin")); !slices.Equal(got,
		[]string{filepath.Join(home, "versions", "22", "bin")}) {
		t.Errorf("the folders are %q", got)
	}
}

func TestInterpreter(t *testing.T) {
	for line, want := range map[string]string{
		"#!/usr/bin/env node\nrest":          "node",
		"#! /usr/bin/env -S node --flag\r\n": "node",
		"#!/usr/bin/env A=1 node":            "node",
		"#!/usr/bin/env":                     "/usr/bin/env",
		"#!/bin/sh -e\n":                     "/bin/sh",
		"\x7fELF":                            "",
		"#!\n":                               "",
		"":                                   "",
	} {
		if got := interpreter([]byte(line)); got != want {
			t.Errorf("%q is run by %q, want %q", line, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	const mark = "workbench-1"
	for _, test := range []struct {
		output string
		want   string
		ok     bool
	}{
		{"junk PATH=/evil\n" + mark + "A=1\x00B=two\nlines\x00" + mark + "more PATH=/evil", "A=1|B=two\nlines", true},
		{mark + "\nA=1\nB=2\nrest of it\n" + mark, "A=1|B=2", true},
		{mark + "A=1\x00A=2\x00BASH_FUNC_x%%=() {\n}\x00=C:=C:\\\x001X=1\x00NOVALUE\x00É=1\x00" + mark, "A=1", true},
		{mark + "A=1\x00", "", false},
		{"A=1", "", false},
		{mark + mark, "", true},
	} {
		variables, ok := parse([]byte(test.output), mark)
		var got []string
		for _, v := range variables {
			got = append(got, v.name+"="+v.value)
		}
		if joined := strings.Join(got, "|"); joined != test.want || ok != test.ok {
			t.Errorf("%q gives %q, %v", test.output, joined, ok)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("junk workbench-1A=1\x00PATH=/a:/b\x00workbench-1 junk"))
	f.Add([]byte("workbench-1\nA=1\nB=2\nworkbench-1"))
	f.Add([]byte("workbench-1"))
	f.Fuzz(func(t *testing.T, output []byte) {
		variables, ok := parse(output, "workbench-1")
		if !ok && variables != nil {
			t.Error("variables without both marks")
		}
		for _, v := range variables {
			if !validName(v.name) || strings.ContainsRune(v.value, 0) || strings.Contains(v.value, "workbench-1") {
				t.Errorf("%q = %q", v.name, v.value)
			}
			for _, folder := range splitPath(v.value) {
				if !filepath.IsAbs(folder) || strings.ContainsAny(folder, "\x00\n") {
					t.Errorf("a folder is %q", folder)
				}
			}
		}
	})
}
