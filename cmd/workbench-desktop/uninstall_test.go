package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUninstallWhileTheAppRuns checks that nothing is deleted below a window that would write it again.
func TestUninstallWhileTheAppRuns(t *testing.T) {
	at, home := linkEndpoint(t), t.TempDir()
	_, stop := startApp(t, at)
	config := filepath.Join(home, ".config", "workbench", "workbench-config.json")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(`{"toolboxes": {}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, log := runEvil(t, home, "", "", "uninstall", "--everything", "--yes", "--link", at); !strings.Contains(log,
		"Workbench is running, and would write again") {
		t.Errorf("it says %s", log)
	}
	if _, err := os.Stat(config); err != nil {
		t.Error(err)
	}
	stop()
	if _, log := runEvil(t, home, "", "", "uninstall", "--everything", "--yes", "--link", at); !strings.Contains(log,
		"Nothing starts Workbench any more") {
		t.Errorf("it says %s", log)
	}
	if _, err := os.Stat(filepath.Dir(config)); err == nil {
		t.Error("the configuration is still there")
	}
}
