package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tailscale/hujson"
)

func FuzzParse(f *testing.F) {
	archives, err := filepath.Glob(filepath.Join("testdata", "diagnose", "*.txtar"))
	if err != nil || len(archives) == 0 {
		f.Fatal("no archives found", err)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	f.Add([]byte("\xff\xfe"))
	f.Add([]byte("\ufeff{}"))
	f.Add([]byte(`{"":{"":{"":{"":{"0":1e700}}}}}`))
	f.Add([]byte("{“”“0"))
	f.Fuzz(func(t *testing.T, source []byte) {
		before := bytes.Clone(source)
		document := Parse("config", source)
		if !bytes.Equal(before, source) {
			t.Fatal("the source was changed")
		}
		checkDocument(t, document)
		checkPlaces(t, source, document.CheckEnvironment(Lookup{}))
		checkAgainstParser(t, document)
		if document.Valid() {
			checkAgainstJSON(t, document)
		}
	})
}

// checkAgainstParser compares our syntax errors with those of hujson.
func checkAgainstParser(t *testing.T, document *Document) {
	t.Helper()
	body := bytes.TrimPrefix(document.Source, byteOrderMark)
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 || len(bytes.TrimSpace(body)) == 0 {
		return
	}
	_, problem := CheckSyntax(document.Source)
	_, err := hujson.Parse(append(bytes.Clone(body), '\n'))
	switch {
	case problem == nil && err != nil:
		t.Errorf("nothing found, but hujson says: %v", err)
	case problem != nil && err == nil && problem.Code != tooDeep.Code && problem.Code != halfCharacter.Code:
		t.Errorf("found %s, but hujson has no objection", problem.Format("config"))
	}
	if (document.tree != nil) != (problem == nil) {
		t.Error("a tree that isn't the source's, or none")
	}
}

// checkAgainstJSON compares a valid configuration with what encoding/json reads.
func checkAgainstJSON(t *testing.T, document *Document) {
	t.Helper()
	body := append(bytes.TrimPrefix(document.Source, byteOrderMark), '\n')
	standard, err := hujson.Standardize(bytes.Clone(body))
	if err != nil {
		if len(document.Config.Toolboxes) > 0 || document.tree != nil {
			t.Error(err)
		}
		return
	}
	var top map[string]any
	numbers := json.NewDecoder(bytes.NewReader(standard))
	numbers.UseNumber() // an unknown key may have any number
	if err := numbers.Decode(&top); err != nil {
		t.Fatal(err)
	}
	boxes, _ := top["toolboxes"].(map[string]any)
	if len(boxes) != len(document.Config.Toolboxes) {
		t.Errorf("%d toolboxes of %d", len(document.Config.Toolboxes), len(boxes))
	}
	for name, box := range boxes {
		toolbox, ok := document.Config.Toolbox(name)
		if !ok {
			t.Errorf("no toolbox %q", name)
			continue
		}
		servers, _ := box.(map[string]any)["mcpServers"].(map[string]any)
		if len(servers) != len(toolbox.Servers) {
			t.Errorf("%d servers of %d", len(toolbox.Servers), len(servers))
		}
		for name, fields := range servers {
			server, ok := toolbox.Server(name)
			if !ok {
				t.Errorf("no server %q", name)
				continue
			}
			fields := fields.(map[string]any)
			command, _ := fields["command"].(string)
			address, _ := fields["url"].(string)
			env, _ := fields["env"].(map[string]any)
			if server.Command != command || server.URL != address || len(server.Env) != len(env) {
				t.Errorf("%+v is not %v", server, fields)
			}
			for _, v := range server.Env {
				if env[v.Name] != v.Value {
					t.Errorf("%+v is not %v", v, env)
				}
			}
			var args []string
			list, has := fields["args"].([]any)
			if has {
				args = []string{}
			}
			for _, arg := range list {
				args = append(args, arg.(string))
			}
			if diff := cmp.Diff(args, server.Args); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, text := range []string{"", "plain", "${SET}", "${UNSET:-x}", "$${SET}", "$$${SET}", "${", "a${SET}b${UNSET}c",
		"${SET:-${SET}}", "${keyring:one}", "${}", "$", "$$", "${SET:-}}", "é${SET"} {
		f.Add(text)
	}
	const value = "hunter2-v@lue"
	lookup := Lookup{
		Env:     func(name string) (string, bool) { return value, name != "UNSET" },
		Keyring: func(string) (string, error) { return value, nil },
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "hunter2") {
			return
		}
		server := &Server{Name: "s", Command: "c", Args: []string{text}, Env: []Variable{{"V", text}}}
		out, err := server.Expand(lookup)
		if server.Args[0] != text || server.Env[0].Value != text {
			t.Fatal("the receiver was changed")
		}
		if (err == nil) == (out == nil) {
			t.Fatal("neither result nor error, or both")
		}
		var problem *ExpandError
		switch {
		case err != nil && (!errors.As(err, &problem) || len(problem.Problems) < 2):
			t.Errorf("%v does not report both fields", err)
		case err != nil && strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%v contains a value", err)
		case err == nil && out.Args[0] != out.Env[0].Value:
			t.Errorf("%q and %q differ", out.Args[0], out.Env[0].Value)
		case err == nil && !strings.Contains(text, "${") && out.Args[0] != text:
			t.Errorf("%q became %q without any reference", text, out.Args[0])
		}
		var joined strings.Builder
		pieces(text, func(p piece) bool {
			switch {
			case p.reference != nil:
				joined.WriteString(text[p.reference.start:p.reference.end])
			case p.flaw != nil:
				joined.WriteString(text[p.flaw.start:p.flaw.end])
			case p.literal == "${":
				joined.WriteString("$${")
			default:
				joined.WriteString(p.literal)
			}
			return true
		})
		if joined.String() != text {
			t.Errorf("the pieces of %q make %q", text, joined.String())
		}
		escaped := &Server{Command: "c", Args: []string{strings.ReplaceAll(text, "${", "$${")}}
		if out, err := escaped.Expand(lookup); err != nil || out.Args[0] != text {
			t.Errorf("%q escaped and expanded is %v, %v", text, out, err)
		}
	})
}

func BenchmarkParse1000Servers(b *testing.B) {
	source := manyServers(50, 20)
	if problems := Parse("config", source).Diagnostics; len(problems) > 0 {
		b.Fatal(problems[0].Format("config"))
	}
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		Parse("config", source)
	}
}

// BenchmarkParseProblems parses a file with a problem in every server.
func BenchmarkParseProblems(b *testing.B) {
	source := bytes.ReplaceAll(manyServers(50, 20), []byte(`"args"`), []byte(`"arg"`))
	for b.Loop() {
		Parse("config", source)
	}
}

func manyServers(toolboxes, each int) []byte {
	var out bytes.Buffer
	out.WriteString("{\n  // many servers\n  \"toolboxes\": {\n")
	for i := range toolboxes {
		out.WriteString("    \"box" + string(rune('a'+i/26)) + string(rune('a'+i%26)) +
			"\": {\n      \"description\": \"Some tools\",\n      \"mcpServers\": {\n")
		for j := range each {
			out.WriteString(`        "server` + string(rune('a'+j)) + `": {
          "command": "npx",
          "args": ["-y", "@modelcontextprotocol/server-filesystem", "${HOME}/projects", "C:\\Users"],
          "env": { "TOKEN": "${keyring:github}", "LEVEL": "${LEVEL:-info}" },
          "toolFilters": ["read_file", "list_directory"],
          "startupTimeout": 10,
        },
`)
		}
		out.WriteString("      },\n    },\n")
	}
	out.WriteString("  },\n}\n")
	return out.Bytes()
}

// TestParseHuge parses files that would take too much time or stack if a step of Parse were quadratic or
// recursed without a limit.
func TestParseHuge(t *testing.T) {
	for name, source := range map[string]string{
		"arrays":        strings.Repeat("[", 10<<20),
		"objects":       strings.Repeat(`{"a":`, 2<<20),
		"closed arrays": strings.Repeat("[", 5<<20) + strings.Repeat("]", 5<<20),
		"too large":     strings.Repeat(" ", 50<<20),
		"one string": `{"toolboxes": {"a": {"mcpServers": {"b": {"command": "` + strings.Repeat("${}", 5<<20) +
			`"}}}}}`,
		"escapes": `{"toolboxes": {"a": {"mcpServers": {"b": {"command": "` +
			strings.Repeat(`\u0024{X Y}`, 1<<17) + `"}}}}}`,
		"bad escapes": `{"toolboxes": {"a": {"mcpServers": {"b": {"command": "` + strings.Repeat(`\x`, 1<<20) +
			`"}}}}}`,
		"keys":              "{" + strings.Repeat(`"x":1,`, 1<<17) + "}",
		"unknown keys":      `{"toolboxes": {"a": {"mcpServers": {"b": {` + strings.Repeat(`"x":1,`, 1<<17) + `}}}}}`,
		"missing commas":    "[" + strings.Repeat("1 ", 5<<20) + "]",
		"quotes":            strings.Repeat(`"`, 10<<20),
		"a very long key":   `{"` + strings.Repeat("k", 10<<20) + `": 1}`,
		"open single quote": "[" + strings.Repeat("'", 10<<20),
	} {
		t.Run(name, func(t *testing.T) {
			document := Parse("config", []byte(source))
			if document.Valid() != (name == "a very long key") { // the key is only unknown, which is no error
				t.Errorf("Valid is %v", document.Valid())
			}
			if len(document.Diagnostics) == 0 || len(document.Diagnostics) > 3*maxDiagnostics {
				t.Errorf("%d diagnostics", len(document.Diagnostics))
			}
			for _, d := range document.Diagnostics {
				if len(d.Format("config")) > 4096 {
					t.Fatalf("a diagnostic of %d bytes", len(d.Format("config")))
				}
			}
		})
	}
}

// TestExample checks the example in the repository.
func TestExample(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "example", FileName)
	document, err := Read(Location{Path: path, Named: true, Source: SourceFlag})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range document.Diagnostics {
		t.Error(d.Format(path))
	}
}
