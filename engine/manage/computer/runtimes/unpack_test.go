package runtimes

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// item is one entry of an archive.
type item struct {
	name, content, link string
	kind                byte
	mode                int64
}

// usual returns an archive with the layout of the official ones.
func usual(more ...item) []item {
	return append([]item{
		{name: "node-v1/", kind: tar.TypeDir},
		{name: "node-v1/bin/node", content: "#!/bin/sh\necho node", mode: 0o755},
		{name: "node-v1/lib/node_modules/npm/bin/npx-cli.js", content: "#!/usr/bin/env node\n", mode: 0o755},
		{name: "node-v1/bin/npx", link: "../lib/node_modules/npm/bin/npx-cli.js", kind: tar.TypeSymlink},
		{name: "node-v1/README.md", content: strings.Repeat("words and words\n", 10_000), mode: 0o644},
	}, more...)
}

func tarball(t *testing.T, items []item) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, i := range items {
		kind := i.kind
		if kind == 0 {
			kind = tar.TypeReg
		}
		if err := archive.WriteHeader(
			&tar.Header{Name: i.name, Typeflag: kind, Linkname: i.link, Mode: i.mode,
				Size: int64(len(i.content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(i.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func onUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("its archives are others: TestZip")
	}
}

func TestHostileArchives(t *testing.T) {
	many := usual()
	for i := range maxFiles {
		many = append(many, item{name: "node-v1/share/" + strconv.Itoa(i)})
	}
	whole := tarball(t, usual())
	for name, test := range map[string]struct {
		archive []byte
		code    words.Code
	}{
		"cut":            {whole[:len(whole)/2], "runtimes.damaged"},
		"cut at its end": {whole[:len(whole)-6], "runtimes.damaged"},
		"no archive":     {[]byte("<html>Sign in to this network</html>"), "runtimes.damaged"},
		"empty":          {nil, "runtimes.damaged"},
		"no command":     {tarball(t, usual()[:1]), "runtimes.command_missing"},
		"a folder for node": {tarball(t, append(usual()[2:4:4], item{name: "node-v1/bin/node/", kind: tar.TypeDir})),
			"runtimes.command_missing"},
		"above":          {tarball(t, usual(item{name: "node-v1/../../evil"})), "runtimes.hostile"},
		"above, plain":   {tarball(t, usual(item{name: "../evil"})), "runtimes.hostile"},
		"absolute":       {tarball(t, usual(item{name: "/tmp/evil"})), "runtimes.hostile"},
		"another folder": {tarball(t, usual(item{name: "other/file"})), "runtimes.hostile"},
		"the folder as a file": {tarball(t, append([]item{{name: "node-v1", content: "x"}}, usual()[1:]...)),
			"runtimes.hostile"},
		"backslashes": {tarball(t, usual(item{name: `node-v1/..\evil`})), "runtimes.hostile"},
		"too deep": {tarball(t, usual(item{name: "node-v1/" + strings.Repeat("d/", 100) + "x"})),
			"runtimes.hostile"},
		"link out": {tarball(t, usual(item{name: "node-v1/out", link: "../../..", kind: tar.TypeSymlink})),
			"runtimes.hostile"},
		"link, absolute": {tarball(t, usual(item{name: "node-v1/out", link: "/etc", kind: tar.TypeSymlink})),
			"runtimes.hostile"},
		"link through a link": {tarball(t,
			usual(item{name: "node-v1/a", link: "bin", kind: tar.TypeSymlink},
				item{name: "node-v1/b", link: "a/../../../x", kind: tar.TypeSymlink})), "runtimes.hostile"},
		"link that winds": {tarball(t,
			usual(item{name: "node-v1/a", link: ".", kind: tar.TypeSymlink},
				item{name: "node-v1/b", link: "a/../c", kind: tar.TypeSymlink})), "runtimes.hostile"},
		"file through a link": {tarball(t,
			usual(item{name: "node-v1/a", link: "bin", kind: tar.TypeSymlink}, item{name: "node-v1/a/evil", content: "x"})),
			"runtimes.hostile"},
		"link in place": {tarball(t, usual(item{name: "node-v1/README.md", link: "bin/node", kind: tar.TypeSymlink})),
			"runtimes.hostile"},
		"second name": {tarball(t, usual(item{name: "node-v1/hard", link: "/etc/passwd", kind: tar.TypeLink})),
			"runtimes.hostile"},
		"device":         {tarball(t, usual(item{name: "node-v1/null", kind: tar.TypeChar})), "runtimes.hostile"},
		"pipe":           {tarball(t, usual(item{name: "node-v1/fifo", kind: tar.TypeFifo})), "runtimes.hostile"},
		"twice":          {tarball(t, usual(item{name: "node-v1/README.md", content: "again"})), "runtimes.hostile"},
		"below a file":   {tarball(t, usual(item{name: "node-v1/README.md/x", content: "again"})), "runtimes.hostile"},
		"too many files": {tarball(t, many), "runtimes.too_many_files"},
	} {
		t.Run(name, func(t *testing.T) {
			r := offering(t, serve(t, test.archive))
			if err := r.Get(t.Context(), "node", nil); !words.Is(err, test.code) {
				t.Errorf("got %v", err)
			}
			nothingThere(t, r)
		})
	}
}

// TestUnpacksTooBig covers a small gzip file that unpacks to more than the limit.
func TestUnpacksTooBig(t *testing.T) {
	u := &unpacked{offer: Offer{Name: "x", Top: "x"}, made: map[string]bool{".": true}, bytes: maxUnpacked - 10}
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	u.root = root
	if err := u.add("x/a", 0o600, "", strings.NewReader("0123456789")); err != nil {
		t.Errorf("content of the allowed size: %v", err)
	}
	if err := u.add("x/b", 0o600, "", strings.NewReader("0")); !words.Is(err, "runtimes.unpacked_too_big") {
		t.Errorf("got %v", err)
	}
}

func TestZip(t *testing.T) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range []string{"uv.exe", "uvx.exe"} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(name))
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	get := func(data []byte) (*Runtimes, error) {
		s := serve(t, data)
		r := offering(t, s)
		r.options.Offers = []Offer{{ID: "uv", Name: "uv", Version: "0.1.2", Mirror: "WORKBENCH_NODE_MIRROR",
			Address: "uv.zip", Sum: sumOf(data), Commands: []string{"uv.exe", "uvx.exe"}}}
		return r, r.Get(t.Context(), "uv", nil)
	}
	r, err := get(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(r.options.Folder, "uv", "0.1.2", "uvx.exe")); string(data) != "uvx.exe" {
		t.Errorf("got %q, %v", data, err)
	}
	for name, code := range map[string]words.Code{"../evil": "runtimes.hostile", `..\evil`: "runtimes.hostile",
		"/evil": "runtimes.hostile", "uv.exe": "runtimes.hostile"} {
		var out bytes.Buffer
		archive := zip.NewWriter(&out)
		for _, name := range []string{"uv.exe", "uvx.exe", name} {
			if _, err := archive.Create(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := get(out.Bytes())
		if !words.Is(err, code) {
			t.Errorf("%s: %v", name, err)
		}
		nothingThere(t, r)
	}
	r, err = get(out.Bytes()[:out.Len()/2])
	if !words.Is(err, "runtimes.damaged") {
		t.Errorf("cut: %v", err)
	}
	nothingThere(t, r)
}
