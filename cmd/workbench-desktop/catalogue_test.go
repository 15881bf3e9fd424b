package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCatalogueSearch searches a registry that answers like the official one, and a registry that does not answer.
func TestCatalogueSearch(t *testing.T) {
	recorded, err := os.ReadFile(filepath.Join("..", "..", "engine", "manage", "entries", "registry", "testdata", "servers.json"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(recorded)
	}))
	t.Setenv("WORKBENCH_REGISTRY", server.URL)
	home := t.TempDir()
	out, log := runEvil(t, home, "", "", "catalogue", "search", "weather", "python")
	if want := "    published by the GitHub account example\n    runs uvx weather-mcp-server==0.5.0\n"; !strings.Contains(out, want) || log != "" {
		t.Errorf("the output is:\n%s\n%s", out, log)
	}
	out, _ = runEvil(t, home, "", "", "catalogue", "search", "filesystem")
	if !strings.Contains(out, "in the catalogue of the program") {
		t.Errorf("the catalogue of the program is not searched:\n%s", out)
	}
	out, _ = runEvil(t, home, "", "", "catalogue", "search", "weather", "--json")
	var found struct {
		Servers []struct {
			Name string
			Ways []struct{ Runs string }
		}
		Next string
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Servers) != 3 ||
		found.Servers[1].Ways[0].Runs != "uvx weather-mcp-server==0.5.0" || found.Next == "" {
		t.Errorf("%v\n%s", err, out)
	}
	out, _ = runEvil(t, home, "", "", "catalogue", "search", "reads files", "--json")
	var own struct {
		Catalogue []struct {
			ID, Runs, Publisher string
			Asks                []struct{ ID, Hint string }
			Entry               map[string]any
		}
	}
	if err := json.Unmarshal([]byte(out), &own); err != nil || len(own.Catalogue) == 0 ||
		own.Catalogue[0].ID != "files" || own.Catalogue[0].Runs != "workbench-engine server files <folders>" ||
		own.Catalogue[0].Asks[0].ID != "folders" || own.Catalogue[0].Asks[0].Hint == "" ||
		own.Catalogue[0].Entry["command"] != "workbench-engine" {
		t.Errorf("%v\n%s", err, out)
	}
	out, _ = runEvil(t, home, "", "", "catalogue", "search", "files")
	if !strings.Contains(out, "    runs workbench-engine server files <folders>\n    add it: workbench-desktop "+
		"catalogue add files\n") {
		t.Errorf("the output is:\n%s", out)
	}
	server.Close()
	if out, log = runEvil(t, home, "", "", "catalogue", "search", "files", "--json"); !strings.Contains(out,
		`"problem"`) || !strings.Contains(out, `"id": "files"`) || log == "" {
		t.Errorf("without the registry, the output is:\n%s\n%s", out, log)
	}
	if out, log = runEvil(t, home, "", "", "catalogue", "search", "weather"); !strings.Contains(log,
		"could not be reached") || strings.Contains(out, "uvx") {
		t.Errorf("the output is:\n%s\n%s", out, log)
	}
}

// TestCatalogueAddCopyAsPath checks that a folder may be given as Windows copies it, with quotes around it.
func TestCatalogueAddCopyAsPath(t *testing.T) {
	home := t.TempDir()
	runEvil(t, home, "", "", "config", "add-toolbox", "dev")
	folder := filepath.Join(home, "My Docs")
	out, log := runEvil(t, home, "", "", "catalogue", "add", "files", "--into", "dev", "--value", `folders="`+folder+`"`, "--dry-run")
	if want, _ := json.Marshal(folder); !strings.Contains(out, `"files", `+string(want)+`]`) {
		t.Errorf("the output is:\n%s\n%s", out, log)
	}
}
