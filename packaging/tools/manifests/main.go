// Command manifests writes what package managers want to know about a release: for winget, Scoop, Homebrew and
// the AUR.
//
//	manifests VERSION DAY PACKAGES OUT
//
// PACKAGES is the folder with the files of the release, whose sums go into the manifests. A manifest whose files
// are not all there is left out, with a sentence. Each template in templates/ has the path of its manifest.
package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed all:templates
var templates embed.FS

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: manifests VERSION DAY PACKAGES OUT")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}

// release is what the templates have.
type release struct {
	Version string
	Day     string // on which it came out, as 2026-11-28
	folder  string
}

// URL returns where a file of the release is downloaded.
func (r release) URL(file string) string {
	return "https://github.com/workbench-mcp/workbench-desktop/releases/download/v" + r.Version + "/" + file
}

// Sum returns the SHA-256 sum of a file of the release.
func (r release) Sum(file string) (string, error) {
	f, err := os.Open(filepath.Join(r.folder, file))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func write(version, day, packages, out string, say io.Writer) error {
	if strings.Contains(version, "-") {
		fmt.Fprintf(say, "manifests: package managers get no version before its release, such as %s\n", version)
		return nil
	}
	return fs.WalkDir(templates, "templates", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := templates.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filled(strings.TrimPrefix(path, "templates/"), version, day, packages)
		if err != nil {
			return err
		}
		manifest, err := filled(string(text), version, day, packages)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(say, "manifests: %s is left out, since a file of it is not there: %v\n", name, err)
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		target := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, []byte(manifest), 0o644)
	})
}

// filled fills in a template.
func filled(text, version, day, packages string) (string, error) {
	parsed, err := template.New("").Funcs(template.FuncMap{"upper": strings.ToUpper}).Parse(text)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, release{Version: version, Day: day, folder: packages})
	return b.String(), err
}
