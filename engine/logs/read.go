package logs

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
)

// maxRead is how much of one file is read, in bytes. Our own files are never longer.
const maxRead = 3 * MaxFile

// Selection selects logs: those of one server, those of all servers of a toolbox or, if both are empty, those
// of the engines.
type Selection struct {
	Config          string // the path of the configuration that the servers are of
	Toolbox, Server string
	Engine          int // without toolbox and server: the process id of one engine; 0 for all
}

// files returns the current files of a selection.
func (f Folder) files(s Selection) []string {
	switch {
	case s.Toolbox == "" && s.Engine != 0:
		end := "-" + strconv.Itoa(s.Engine) + ending
		return slices.DeleteFunc(current(f.engines()), func(path string) bool { return !strings.HasSuffix(path, end) })
	case s.Toolbox == "":
		return current(f.engines())
	case s.Server != "":
		return []string{f.server(s.Config, s.Toolbox, s.Server)}
	}
	part := "." + ofToolbox(s.Config, s.Toolbox) + "."
	return slices.DeleteFunc(current(f.servers()), func(path string) bool {
		return !strings.Contains(filepath.Base(path), part)
	})
}

// folder returns the folder in which the files of a selection are.
func (f Folder) folder(s Selection) string {
	if s.Toolbox == "" {
		return f.engines()
	}
	return f.servers()
}

// Read returns the stored lines of the selected logs, the oldest first. Files that cannot be read, and lines
// that are not log lines, are left out.
func (f Folder) Read(s Selection) []Line {
	r := reader{folder: f, selection: s}
	return r.next()
}

// Follow calls show with the stored lines of the selected logs, and then with new lines, until ctx ends. Each
// time, the oldest line comes first.
func (f Folder) Follow(ctx context.Context, s Selection, show func([]Line)) {
	watch := filewatch.New(filewatch.Options{})
	defer watch.Close()
	// For systems without notifications, and while the folder does not exist.
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	r := reader{folder: f, selection: s}
	for {
		watch.Follow(filepath.Join(f.folder(s), "any"+ending))
		if lines := r.next(); len(lines) > 0 {
			show(lines)
		}
		select {
		case <-ctx.Done():
			return
		case <-watch.Touched:
		case <-watch.Stirred:
		case <-tick.C:
		}
	}
}

// reader reads the lines that were added since its last call. It keeps no file open, since on Windows an open
// file cannot be rotated.
type reader struct {
	folder    Folder
	selection Selection
	read      map[string]position
}

// position is how far a current file was read.
type position struct {
	file fs.FileInfo // nil when there was none
	at   int64
}

// next returns the new lines, the oldest first.
func (r *reader) next() []Line {
	if r.read == nil {
		r.read = map[string]position{}
	}
	var lines []Line
	for _, path := range r.folder.files(r.selection) {
		before, known := r.read[path]
		if !known || before.file == nil {
			if !known { // what was kept before
				old, _ := readFrom(old(path), 0)
				lines = append(lines, old...)
			}
			added, now := readFrom(path, 0)
			lines, r.read[path] = append(lines, added...), now
			continue
		}
		info, err := os.Stat(path)
		if err == nil && os.SameFile(info, before.file) && info.Size() == before.at {
			continue
		}
		at := before.at
		if err != nil || !os.SameFile(info, before.file) || info.Size() < at { // the file was rotated
			if info, err := os.Stat(old(path)); err == nil && os.SameFile(info, before.file) {
				rest, _ := readFrom(old(path), before.at)
				lines = append(lines, rest...)
			}
			at = 0
		}
		added, now := readFrom(path, at)
		lines, r.read[path] = append(lines, added...), now
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return a.Time.Compare(b.Time) })
	return lines
}

// readFrom reads the whole lines of a file from an offset on. If the file is too long, its beginning is left
// out.
func readFrom(path string, at int64) ([]Line, position) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, position{} // a pipe would never end
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, position{}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, position{}
	}
	at = max(at, info.Size()-maxRead)
	data, err := io.ReadAll(io.NewSectionReader(file, at, maxRead))
	if err != nil {
		return nil, position{}
	}
	end := bytes.LastIndexByte(data, '\n') + 1 // the rest is still being written
	return parse(data[:end]), position{info, at + int64(end)}
}

// parse reads lines.
func parse(data []byte) []Line {
	var lines []Line
	for raw := range bytes.Lines(data) {
		var line Line
		if len(raw) > 1 && len(raw) <= 4*maxBatch && json.Unmarshal(raw, &line) == nil && !line.Time.IsZero() {
			lines = append(lines, line)
		}
	}
	return lines
}
