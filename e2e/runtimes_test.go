package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
)

// TestServersRunFromWhatWasGot: an engine is running, and its PATH has no Node.js. Then Workbench installs a real
// Node.js from an archive in the layout of the official ones. Now the engine can start real servers with "node" and
// "npx".
func TestServersRunFromWhatWasGot(t *testing.T) {
	needNPM(t)
	if runtime.GOOS == "windows" {
		t.Skip("the archive is one for Unix")
	}
	home := built.Folder(t)
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sh", "env"} { // npx runs these
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(bin, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// this shell adds no folders; the user's own shell may add one with a Node.js
	shell := filepath.Join(home, "shell", "sh")
	if err := os.Mkdir(filepath.Dir(shell), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(shell, []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": home, "PATH": bin, "SHELL": shell, "XDG_DATA_HOME": filepath.Join(home, "data"),
		"npm_config_cache": filepath.Join(home, "npm"), "npm_config_update_notifier": "false"}
	if complete, _ := environ.Complete(t.Context(), list(env)); environ.Runs("node", complete) {
		t.Skip("each engine finds another Node.js before ours")
	}
	config := filepath.Join(home, "workbench-config.json")
	memory := npmPath("node_modules", "@modelcontextprotocol", "server-memory", "dist", "index.js")
	text, err := json.Marshal(object{"toolboxes": object{"dev": object{"description": "x", "mcpServers": object{
		"by-node": object{"command": "node", "args": []string{memory},
			"env": object{"MEMORY_FILE_PATH": filepath.Join(home, "memory.json")}},
		"by-npx": object{"command": "npx", "args": []string{"--no-install", "mcp-server-filesystem", home},
			"cwd": npmPath()},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	w := dial(t, launch{command: program, args: []string{"stdio", "--config", config}, env: env}, "x", true)
	w.call(2, "open_toolbox", object{"toolbox_name": "dev"})
	if answer := w.answer("2"); !strings.Contains(answer, "was not found") || strings.Contains(answer, "read_graph") {
		t.Fatalf("without Node.js: %s", answer)
	}

	archive := nodeArchive(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(archive))
	}))
	defer server.Close()
	folder := filepath.Join(home, "data", "workbench", "runtimes")
	if runtime.GOOS == "darwin" {
		folder = filepath.Join(home, "Library", "Application Support", "Workbench", "runtimes")
	}
	sum := sha256.Sum256(archive)
	options := runtimes.Options{
		Folder: folder, Getenv: func(name string) string {
			return map[string]string{"WORKBENCH_NODE_MIRROR": server.URL}[name]
		},
		Offers: []runtimes.Offer{{ID: "node", Name: "Node.js", Version: "1.2.3", Makers: "https://nodejs.invalid",
			Mirror:  "WORKBENCH_NODE_MIRROR",
			Address: "v1.2.3/" + nodeTop + ".tar.gz", Sum: hex.EncodeToString(sum[:]), Top: nodeTop,
			Commands: []string{"bin/node", "bin/npm", "bin/npx"}}},
	}
	got := runtimes.New(options)
	if err := got.Get(t.Context(), "node", nil); err != nil {
		t.Fatal(err)
	}

	w.call(3, "open_toolbox", object{"toolbox_name": "dev"})
	if answer := w.answer("3"); !strings.Contains(answer, "read_graph") ||
		!strings.Contains(answer, "list_allowed_directories") {
		t.Fatalf("with Node.js: %s", answer)
	}
	w.call(4, "use_tool", object{"tool": object{"toolbox": "dev", "server": "by-npx", "tool": "list_allowed_directories"},
		"arguments": object{}})
	if answer := w.answer("4"); !strings.Contains(answer, home) {
		t.Errorf("a call answered %s", answer)
	}
	if runtime.GOOS == "linux" && running(t, folder) < 2 {
		t.Error("the servers run from another Node.js")
	}
	out, err := (&exec.Cmd{Path: program, Args: []string{program, "runtimes"}, Env: list(env)}).CombinedOutput()
	if err != nil || !strings.Contains(string(out), filepath.Join(folder, "node", "1.2.3", "bin")) {
		t.Errorf("the output of the command is %s, %v", out, err)
	}

	options.Offers[0].Version = "1.2.4"
	if err := got.Get(t.Context(), "node", nil); err != nil {
		t.Fatal(err)
	}
	got.Tidy(t.Context())
	if _, err := os.Stat(filepath.Join(folder, "node", "1.2.3", "bin", "node")); err != nil {
		t.Errorf("the update has removed the version from which servers run: %v", err)
	}
	w.call(5, "use_tool", object{"tool": object{"toolbox": "dev", "server": "by-npx", "tool": "list_allowed_directories"},
		"arguments": object{}})
	if answer := w.answer("5"); !strings.Contains(answer, home) {
		t.Errorf("a call after the update answered %s", answer)
	}
	w.call(6, "close_toolbox", object{"toolbox_name": "dev"})
	w.answer("6")
	w.call(7, "open_toolbox", object{"toolbox_name": "dev"})
	if answer := w.answer("7"); !strings.Contains(answer, "read_graph") ||
		!strings.Contains(answer, "list_allowed_directories") {
		t.Fatalf("with the newer Node.js: %s", answer)
	}
	if runtime.GOOS == "linux" && running(t, filepath.Join(folder, "node", "1.2.4")) < 2 {
		t.Error("the servers run from the replaced Node.js")
	}
	got.Tidy(t.Context())
	if _, err := os.Stat(filepath.Join(folder, "node", "1.2.3")); err == nil {
		t.Error("the replaced version is still there, although nothing runs from it")
	}
}

// answer returns the result of a request and discards the messages before it.
func (w *wire) answer(id string) string {
	w.t.Helper()
	for {
		if _, of, result := w.next(); of == id {
			return result
		}
	}
}

func list(env map[string]string) []string {
	var all []string
	for name, value := range env {
		all = append(all, name+"="+value)
	}
	return all
}

// running counts the processes whose program is in a folder.
func running(t *testing.T, folder string) int {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, link := range links {
		// the link of another user's process may be unreadable
		if target, err := os.Readlink(link); err == nil && strings.HasPrefix(target, folder) {
			count++
		}
	}
	return count
}

// nodeTop is the top folder in the archive.
const nodeTop = "node-v1.2.3-test"

// nodeArchive packs the Node.js and the npm that the tests run with, in the layout of the official archives.
func nodeArchive(t *testing.T) []byte {
	t.Helper()
	ask := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return strings.TrimSpace(string(out))
	}
	var out bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(zipped)
	put := func(header tar.Header, from string) {
		t.Helper()
		header.Name = nodeTop + "/" + header.Name
		if err := archive.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if from == "" {
			return
		}
		file, err := os.Open(from)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := io.Copy(archive, file); err != nil {
			t.Fatal(err)
		}
	}
	add := func(name, from string) {
		t.Helper()
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		put(tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: int64(info.Mode().Perm()), Size: info.Size()}, from)
	}
	add("bin/node", ask("node", "-p", "process.execPath"))
	for _, name := range []string{"npm", "npx"} {
		put(tar.Header{Name: "bin/" + name, Typeflag: tar.TypeSymlink,
			Linkname: "../lib/node_modules/npm/bin/" + name + "-cli.js"}, "")
	}
	npm := filepath.Join(ask("npm", "root", "-g"), "npm")
	if err := filepath.WalkDir(npm, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		below, err := filepath.Rel(npm, path)
		add("lib/node_modules/npm/"+filepath.ToSlash(below), path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
