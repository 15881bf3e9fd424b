package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// FileName is the name of a bundle when the user gives none.
const FileName = "workbench.mcpb"

// Options describe a bundle.
type Options struct {
	Launch  clients.Launch // how the program is started
	Version string         // of the program
	OS      string         // that the bundle is for, as in runtime.GOOS
	Icon    []byte         // a PNG, or nil
}

// Starts returns the program and arguments with which the app starts Workbench by the bundle.
func (o Options) Starts() (program string, args []string) {
	return o.Launch.Program, o.Launch.Args(client)
}

// client is the app that bundles are for.
const client = "claude-desktop"

// Names of the files in a bundle.
const (
	manifestName = "manifest.json"
	readmeName   = "README.txt"
	iconName     = "icon.png"
)

// Make writes a bundle. The same options always make the same bytes.
func Make(w io.Writer, o Options) error {
	m, err := manifestOf(o)
	if err != nil {
		return err
	}
	text, err := jsonc.MarshalLines(m)
	if err != nil {
		return err
	}
	archive := zip.NewWriter(w)
	add := func(name string, data []byte) error {
		// Nothing is compressed: the compressed bytes may differ between versions of the library, and there
		// is little to gain.
		header := &zip.FileHeader{Name: name, Method: zip.Store, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		header.SetMode(0o644)
		file, err := archive.CreateHeader(header)
		if err == nil {
			_, err = file.Write(data)
		}
		return err
	}
	err = errors.Join(add(manifestName, text), add(readmeName, []byte(readme(o.Launch))))
	if o.Icon != nil {
		err = errors.Join(err, add(iconName, o.Icon))
	}
	return errors.Join(err, archive.Close())
}

// readme returns the text of the bundle's entry point. The format requires a file there. The command beside
// it says what is started.
func readme(l clients.Launch) string {
	return fmt.Sprintf(`This bundle has Claude Desktop start the Workbench that is installed on this computer:

    %s

There is no program in it. Where Workbench is not at that place, the bundle does nothing; make another one then,
with "Make a bundle" in Workbench or with "workbench-desktop bundle".
`, l.Program)
}

// Save writes a bundle to a path. It replaces a bundle that we made before and refuses to replace any other
// file.
func Save(path string, o Options) error {
	var made bytes.Buffer
	if err := Make(&made, o); err != nil {
		return err
	}
	before, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		before = nil
	case err != nil:
		return words.NewError("bundle.unreadable", "Path", path, "Why", err)
	case !isOurs(before):
		return words.NewError("bundle.other_file", "Path", path)
	}
	if err := atomicfile.Replace(path, made.Bytes(), before); err != nil {
		return words.NewError("bundle.not_written", "Path", path, "Why", err)
	}
	return nil
}

// isOurs reports whether a file is a bundle that we made.
func isOurs(data []byte) bool {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return false
	}
	file, err := archive.Open(manifestName)
	if err != nil {
		return false
	}
	defer file.Close()
	var m manifest
	return json.NewDecoder(file).Decode(&m) == nil && m.Name == name && strings.HasPrefix(m.Homepage, homepage)
}
