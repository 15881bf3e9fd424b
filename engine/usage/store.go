package usage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The store is a folder with a file of calls for each day, and one with the servers. A file has a row on each line,
// as JSON, and is replaced whole by whoever has the lock. Readers need no lock.

// What can be said of the store.
const (
	// ErrDamaged means that lines of it were not as they are written. They are left out.
	ErrDamaged = words.Code("usage.damaged")
	// ErrBusy means that another program has had the lock for too long.
	ErrBusy = words.Code("usage.busy")
)

const (
	dayEnd      = ".jsonl" // follows the day in the name of a file
	serversName = "servers.jsonl"
	lockName    = "lock"
	maxFile     = 4 << 20 // bytes of a file; what the limits of rows and names allow is less
	maxNumber   = 1 << 40 // no number in the store is larger
)

// oldNames are the files in which earlier builds kept usage.
var oldNames = [...]string{"usage.db", "damaged.db"}

// row is a line of a file. It has one of the last five members.
type row struct {
	Config  string `json:"config,omitempty"`
	App     string `json:"app,omitempty"`
	Toolbox string `json:"toolbox,omitempty"`
	Server  string `json:"server,omitempty"`
	Tool    string `json:"tool,omitempty"`

	Calls *Calls     `json:"calls,omitempty"`
	Box   *Box       `json:"box,omitempty"`
	Seen  *seen      `json:"seen,omitempty"`
	Since *time.Time `json:"since,omitempty"` // since when usage is kept
	Lost  bool       `json:"lost,omitempty"`  // lines were damaged and are not counted
}

// seen says since when a server has existed, and when it was last seen.
type seen struct {
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// sound reports whether a row is one that could have been written.
func (r row) sound() bool {
	for _, name := range []string{r.Config, r.App, r.Toolbox, r.Server, r.Tool} {
		if len(name) > maxName {
			return false
		}
	}
	var numbers []int
	if c := r.Calls; c != nil {
		if len(c.Steps) > maxSteps {
			return false
		}
		numbers = append(append(numbers, c.Count, c.Failed, int(c.Longest)), c.Steps...)
	}
	if b := r.Box; b != nil {
		numbers = append(numbers, b.Sessions, b.Used, b.Opened, b.Tools, b.Tokens)
	}
	for _, n := range numbers {
		if n < 0 || n > maxNumber {
			return false
		}
	}
	return r.Calls != nil || r.Box != nil || r.Seen != nil || r.Since != nil || r.Lost
}

// readRows calls each with the rows of a file, at most a number of them. It reports whether there were other lines,
// which are left out, and so is a file that is none or too large. A missing file has no rows.
func readRows(path string, most int, each func(row)) (damaged bool, err error) {
	text, err := atomicfile.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case errors.Is(err, atomicfile.ErrTooLarge), errors.Is(err, atomicfile.ErrIsFolder),
		errors.Is(err, atomicfile.ErrNotAFile):
		return true, nil
	case err != nil:
		return false, err
	}
	for line := range bytes.Lines(text) {
		var r row
		if most == 0 || json.Unmarshal(line, &r) != nil || !r.sound() {
			damaged = true
			continue
		}
		most--
		each(r)
	}
	return damaged, nil
}

// writeRows replaces a file. Nobody but the user may read it.
func writeRows(path string, rows []row) error {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	for _, r := range rows {
		if err := lines.Encode(r); err != nil {
			return err
		}
	}
	if info, err := os.Lstat(path); err == nil && !info.IsDir() &&
		(!info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // the new file has a mode of its own
			return err
		}
	}
	return atomicfile.Overwrite(path, text.Bytes())
}

// locked calls do while no other program changes the store. It waits for others at most patience, and makes a missing
// folder.
func (f Folder) locked(patience time.Duration, do func() error) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock := flock.New(filepath.Join(string(f), lockName), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); errors.Is(err, context.DeadlineExceeded) {
		return ErrBusy
	} else if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	return do()
}

// File returns the path of the calls of a day.
func (f Folder) File(day time.Time) string { return f.file(day.Format(dayFormat)) }

func (f Folder) file(day string) string { return filepath.Join(string(f), day+dayEnd) }

func (f Folder) servers() string { return filepath.Join(string(f), serversName) }

// forgetBefore removes the files of all days before day, and those of earlier builds.
func (f Folder) forgetBefore(day string) error {
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if name := entry.Name(); isOld(name) || isDay(name) && name < day {
			err = errors.Join(err, remove(filepath.Join(string(f), name)))
		}
	}
	return err
}

// isDay reports whether a file is named like that of a day.
func isDay(name string) bool {
	_, err := time.Parse(dayFormat+dayEnd, name)
	return err == nil
}

func isOld(name string) bool { return name == oldNames[0] || name == oldNames[1] }

// day has the rows of a day.
type day struct {
	calls map[callKey]Calls
	boxes map[boxKey]Box
	lost  bool // lines were damaged
}

// readDay reads a day. A damaged file has the rows that are sound; damaged is false if that was noticed before.
func (f Folder) readDay(name string) (d day, damaged bool, err error) {
	d = day{calls: map[callKey]Calls{}, boxes: map[boxKey]Box{}}
	damaged, err = readRows(f.file(name), maxDay, func(r row) {
		d.lost = d.lost || r.Lost
		if r.Calls != nil {
			addTo(d.calls, callKey{r.Config, r.App, r.Toolbox, r.Server, r.Tool}, *r.Calls)
		}
		if r.Box != nil {
			key := boxKey{r.Config, r.App, r.Toolbox}
			sum := d.boxes[key]
			sum.add(*r.Box)
			d.boxes[key] = sum
		}
	})
	d.lost = d.lost || damaged
	return d, damaged, err
}

func (f Folder) writeDay(name string, d day) error {
	rows := make([]row, 0, len(d.calls)+len(d.boxes))
	for k, calls := range d.calls {
		rows = append(rows, row{Config: k.config, App: k.app, Toolbox: k.toolbox, Server: k.server, Tool: k.tool,
			Calls: &calls})
	}
	for k, box := range d.boxes {
		rows = append(rows, row{Config: k.config, App: k.app, Toolbox: k.toolbox, Box: &box})
	}
	if d.lost {
		rows = append(rows, row{Lost: true})
	}
	return writeRows(f.file(name), rows)
}

// known are the servers that exist, and since when usage is kept.
type known struct {
	since   time.Time
	servers map[seenKey]seen
}

func (f Folder) readServers() (k known, damaged bool, err error) {
	k.servers = map[seenKey]seen{}
	damaged, err = readRows(f.servers(), maxSeen+1, func(r row) {
		if r.Seen != nil {
			k.servers[seenKey{r.Config, r.Toolbox, r.Server}] = *r.Seen
		}
		if r.Since != nil {
			k.since = *r.Since
		}
	})
	return k, damaged, err
}

func (f Folder) writeServers(k known) error {
	rows := make([]row, 0, 1+len(k.servers))
	rows = append(rows, row{Since: &k.since})
	for key, s := range k.servers {
		rows = append(rows, row{Config: key.config, Toolbox: key.toolbox, Server: key.server, Seen: &s})
	}
	return writeRows(f.servers(), rows)
}
