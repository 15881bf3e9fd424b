package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mcpb runs the command-line tool of the bundle format.
func mcpb(t *testing.T, args ...string) string {
	t.Helper()
	tool := npmPath("node_modules", "@anthropic-ai", "mcpb", "dist", "cli", "cli.js")
	out, err := exec.CommandContext(t.Context(), "node", append([]string{tool}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("mcpb %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestBundle: the tool of the format accepts a bundle. The command in the bundle's manifest, unchanged,
// starts the engine with the toolboxes of the configuration.
func TestBundle(t *testing.T) {
	needNPM(t)
	w := newWorkshop(t)
	w.save(ordered{{"dev", object{"mcpServers": ordered{{"memory", w.entry("dev", "memory")}}}}})
	file := filepath.Join(w.home, "workbench.mcpb")
	make := exec.CommandContext(t.Context(), program, "--config", w.config, "bundle", "-o", file)
	make.Env = append(os.Environ(), "HOME="+w.home, "USERPROFILE="+w.home, "FLATPAK_ID=", "APPIMAGE=")
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("making the bundle: %v\n%s", err, out)
	}

	folder := filepath.Join(w.home, "unpacked")
	mcpb(t, "unpack", file, folder)
	if out := mcpb(t, "validate", folder); !strings.Contains(out, "Manifest schema validation passes!") ||
		strings.Contains(out, "ERROR") {
		t.Errorf("validate says %s", out)
	}
	if out := mcpb(t, "info", file); !strings.Contains(out, "workbench.mcpb") {
		t.Errorf("info says %s", out)
	}

	raw, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Server struct {
			EntryPoint string `json:"entry_point"`
			Config     struct {
				Command string   `json:"command"`
				Args    []string `json:"args"`
			} `json:"mcp_config"`
		} `json:"server"`
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, manifest.Server.EntryPoint)); err != nil {
		t.Errorf("the entry point: %v", err)
	}
	started := manifest.Server.Config
	if want := []string{"stdio", "--client", "claude-desktop", "--config", w.config}; started.Command != executable ||
		!slices.Equal(started.Args, want) {
		t.Errorf("the bundle starts %q %q, want %q %q", started.Command, started.Args, executable, want)
	}
	c := libraries()[0].connect(t, launch{command: started.Command, args: started.Args})
	var hello struct{ Instructions string }
	c.do("hello", nil, &hello)
	if !strings.Contains(hello.Instructions, "dev (1 servers)") {
		t.Errorf("the instructions are %q", hello.Instructions)
	}
}
