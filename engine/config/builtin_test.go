package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A reference server whose launcher is missing can be replaced by the server that comes with the program, if that
// takes the same arguments. The fix changes nothing else in the file.
func TestUseBuiltIn(t *testing.T) {
	lookup := Lookup{Env: func(string) (string, bool) { return t.TempDir(), true }}
	for entry, want := range map[string]string{
		`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/a", "/b c"]`:  `"command": "workbench-engine", "args": ["server", "files", "/a", "/b c"]`,
		`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "."]`: `"command": "workbench-engine", "args": ["server", "files", "."]`,
		`"command": "npx", "args": ["@modelcontextprotocol/server-memory"], "askFirst": true`:        `"command": "workbench-engine", "args": ["server", "notes"], "askFirst": true`,
		`"command": "uvx", "args": ["mcp-server-fetch"]`:                                             `"command": "workbench-engine", "args": ["server", "web"]`,
		"\"args\": [\"mcp-server-time\"], // now\n \"command\": \"uvx\"":                             "\"args\": [\"server\", \"time\"], // now\n \"command\": \"workbench-engine\"",

		`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem"]`:                               "",
		`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "--x"]`:                        "",
		`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory", "x"]`:                              "",
		`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"], "env": {"MEMORY_FILE_PATH": "x"}`: "",
		`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"], "toolFilters": ["read_graph"]`:    "",
		`"command": "npx", "args": ["-y", /* why */ "@modelcontextprotocol/server-memory"]`:                         "",
		`"command": "npx", "args": ["-y", "other", "@modelcontextprotocol/server-memory"]`:                          "",
		`"command": "uvx", "args": ["mcp-server-time", "--local-timezone", "UTC"]`:                                  "",
		`"command": "node", "args": ["mcp-server-time"]`:                                                            "",
		`"command": "npx", "args": []`: "",
	} {
		source := func(entry string) string {
			return `{"toolboxes": {"a": {"mcpServers": {"b": {` + entry + `}}}}} // end`
		}
		document := Parse("config", []byte(source(entry)))
		for _, found := range document.CheckEnvironment(lookup) {
			if found.Code != ProgramNotFound {
				t.Errorf("%s: %+v", entry, found)
				continue
			}
			offered := found.Fix != nil && found.Fix.Title.Code == "config.fix.built_in"
			if offered != (want != "") || offered != strings.Contains(found.Hint.String(), "a server of its own") {
				t.Errorf("%s: offered: %v, %s", entry, offered, found.Hint)
			}
			if !offered || want == "" {
				continue
			}
			if !found.Fix.Alone {
				t.Errorf("%s: it would be applied unasked", entry)
			}
			if fixed, err := ApplyChanges(document.Source, found.Fix.Changes); err != nil || string(fixed) != source(want) {
				t.Errorf("%s\nbecame %s\nwant   %s, %v", entry, fixed, source(want), err)
			}
		}
	}
}

// TestOfferBuiltIn: where a reference server can start, it is a note that there is one that needs nothing.
func TestOfferBuiltIn(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "npx")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	must(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700))
	lookup := Lookup{Env: func(name string) (string, bool) { return folder, name == "PATH" }}
	document := Parse("config", inEntry(`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]`))
	found := document.CheckEnvironment(lookup)
	if len(found) != 1 || found[0].Code != "comes-built-in" || !found[0].IsNote() || found[0].Fix == nil ||
		!found[0].Fix.Alone {
		t.Fatalf("found %+v", found)
	}
	if other := Parse("config", inEntry(`"command": "npx", "args": ["-y", "server-of-others"]`)); len(
		other.CheckEnvironment(lookup)) > 0 {
		t.Error("it is offered for a server that is no reference server")
	}
}

// The folders of the built-in server for files have to exist. A relative one depends on where the server runs.
func TestFoldersOfFiles(t *testing.T) {
	there := filepath.ToSlash(t.TempDir())
	for args, want := range map[string]string{
		`"server", "files", "` + there + `"`:                           "",
		`"server", "files", "` + there + `/no", "` + there + `", "no"`: there + "/no",
		`"server", "notes", "` + there + `/no"`:                        "",
	} {
		document := Parse("config", []byte(`{"toolboxes": {"a": {"mcpServers": {"b": {"command": "workbench-engine", "args": [`+
			args+`]}}}}}`))
		var said []string
		for _, found := range document.CheckEnvironment(Lookup{Env: func(string) (string, bool) { return "", false }}) {
			if found.Code == folderNotFound.Code {
				said = append(said, found.Message.String())
			}
		}
		if text := strings.Join(said, "; "); (len(said) == 1) != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%s: %q", args, text)
		}
	}
}
