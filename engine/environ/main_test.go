package environ

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// bare returns the environment that Claude Desktop passes on.
func bare(home, shell string) []string {
	return []string{"HOME=" + home, "LOGNAME=someone", "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "SHELL=" + shell,
		"TERM=xterm-256color", "USER=someone"}
}

// newHome makes a home folder. Files whose content begins with "#!" are executable.
func newHome(t *testing.T, files map[string]string) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o600)
		if strings.HasPrefix(content, "#!") {
			mode = 0o700
		}
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// nvmHome makes a home folder with two versions of Node.js under nvm, of which the older is the default.
func nvmHome(t *testing.T, files map[string]string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("nvm is for Unix, and names files as Windows cannot")
	}
	all := map[string]string{
		".nvm/alias/default":                     "lts/*\n",
		".nvm/alias/lts/*":                       "lts/jod\n",
		".nvm/alias/lts/jod":                     "v22.11.0\n",
		".nvm/versions/node/v9.0.0/bin/node":     "#!/bin/sh\n",
		".nvm/versions/node/v22.11.0/bin/node":   "#!/bin/sh\n",
		".nvm/versions/node/v22.11.0/bin/npx":    "#!/usr/bin/env node\n",
		".nvm/versions/node/v24.1.0/bin/node":    "#!/bin/sh\n",
		".nvm/versions/node/.cache/leftover.txt": "",
	}
	for name, content := range files {
		all[name] = content
	}
	return newHome(t, all)
}

func pathList(env []string) []string { return filepath.SplitList(process.Getenv(env, "PATH")) }
