package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the documents in testdata say instead of comparing it")

const (
	quotedSuffix = " (quoted)" // the file is written as a Go string, for bytes that an editor would change
)

// TestDiagnose checks the wording and the place of every message. Each configuration in testdata/diagnose is
// followed by the diagnostics of Parse.
func TestDiagnose(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "diagnose", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives found", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { diagnoseArchive(t, path) })
	}
}

func diagnoseArchive(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := txtar.Archive{Comment: archive.Comment}
	for i, file := range archive.Files {
		if strings.HasPrefix(file.Name, "=") {
			continue
		}
		source := bytes.TrimSuffix(file.Data, []byte("\n\n"))
		source = bytes.TrimSuffix(source, []byte("\n"))
		source = append(source, '\n')
		kept := txtar.File{Name: file.Name, Data: source}
		if strings.HasSuffix(file.Name, quotedSuffix) {
			text, err := strconv.Unquote(strings.TrimSpace(string(source)))
			if err != nil {
				t.Fatalf("%s: %v", file.Name, err)
			}
			source = []byte(text)
		}
		document := Parse("config", source)
		checkDocument(t, document)
		var got strings.Builder
		for _, d := range document.Diagnostics {
			got.WriteString(d.Format("config") + "\n")
			if d.Fix != nil {
				got.WriteString("    fix: " + d.Fix.Title.String() + "\n")
			}
		}
		if got.Len() == 0 {
			got.WriteString("no problems\n")
		}
		out.Files = append(out.Files, kept, txtar.File{Name: "=", Data: []byte(got.String() + "\n")})
		if *update {
			continue
		}
		want := ""
		if i+1 < len(archive.Files) && archive.Files[i+1].Name == "=" {
			want = strings.TrimRight(string(archive.Files[i+1].Data), "\n") + "\n"
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(&out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkDocument checks what must hold for every document.
func checkDocument(t *testing.T, d *Document) {
	t.Helper()
	if d.Config == nil || d.Config.ToolMode == "" {
		t.Error("no Config or no tool mode")
	}
	if d.Valid() != (len(d.Errors()) == 0) {
		t.Error("Valid and Errors disagree")
	}
	checkPlaces(t, d.Source, d.Diagnostics)
}

func checkPlaces(t *testing.T, source []byte, diagnostics []Diagnostic) {
	t.Helper()
	last := 0
	for _, p := range diagnostics {
		if p.Start < 0 || p.Start > p.End || p.End > len(source) {
			t.Errorf("%+v: not within the source of %d bytes", p, len(source))
			continue
		}
		if p.Start < last {
			t.Errorf("%+v: not in the order of the file", p)
		}
		last = p.Start
		if p.Code == "" || p.Message.IsZero() ||
			strings.ContainsAny(p.Message.String()+p.Hint.String()+p.Path, "\n\r\x00\x1b") {
			t.Errorf("%+v: the text is not one line", p)
		}
		before := source[:p.Start]
		line := 1 + bytes.Count(before, []byte("\n"))
		begin := bytes.LastIndexByte(before, '\n') + 1
		column := 1 + len([]rune(strings.TrimPrefix(string(before[begin:]), "\ufeff")))
		if begin > 0 {
			column = 1 + len([]rune(string(before[begin:])))
		}
		if p.Line != line || p.Column != column {
			t.Errorf("%+v: offset %d is line %d, column %d", p, p.Start, line, column)
		}
	}
}

// However many variables a server has, and however they refer to one another, checking them ends soon.
func TestManyVariables(t *testing.T) {
	const many = 20_000
	for name, form := range map[string]string{"chain": "${V%d}", "unset": "${NO%d}", "defaults": "${NO%[1]d:-${V%[1]d}}",
		"plain": "x%d"} {
		env := map[string]string{}
		for i := range many {
			env[fmt.Sprintf("V%d", i)] = fmt.Sprintf(form, i+1)
		}
		source, err := json.Marshal(map[string]any{
			"toolboxes": map[string]any{"a": map[string]any{
				"mcpServers": map[string]any{"s": map[string]any{"command": "x", "env": env}}}}})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan int)
		go func() {
			document := Parse("", source)
			done <- len(document.CheckEnvironment(Lookup{Env: func(string) (string, bool) { return "", false }}))
		}()
		select {
		case found := <-done:
			if found > maxDiagnostics+1 {
				t.Errorf("%s: %d diagnostics", name, found)
			}
		case <-time.After(time.Minute): // what compares each with each takes much longer
			t.Fatalf("%s: it does not end", name)
		}
	}
}

// However many names a filter has, and however many tools the server, comparing them ends soon.
func TestManyFilters(t *testing.T) {
	filters, tools := make([]string, 40_000), make([]string, 10_000)
	for i := range filters {
		filters[i] = fmt.Sprintf("tool_that_is_knwon_%d", i) // each resembles a tool
	}
	for i := range tools {
		tools[i] = fmt.Sprintf("tool_that_is_known_%d", i)
	}
	source, err := json.Marshal(map[string]any{
		"toolboxes": map[string]any{"a": map[string]any{
			"mcpServers": map[string]any{"s": map[string]any{"command": "x", "toolFilters": filters}}}}})
	if err != nil {
		t.Fatal(err)
	}
	document := Parse("", source)
	if len(document.Diagnostics) > 0 || len(document.Config.Toolboxes[0].Servers[0].ToolFilters) != len(filters) {
		t.Fatalf("%d diagnostics", len(document.Diagnostics))
	}
	found := document.CheckTools(func(string, string) ([]string, bool) { return tools, true })
	compared := 0
	for _, d := range found {
		if d.Fix != nil {
			compared += len(tools)
		}
	}
	if len(found) == 0 || len(found) > maxDiagnostics+1 || compared == 0 || compared > maxCompared {
		t.Errorf("%d diagnostics, for which %d names were compared", len(found), compared)
	}
}
