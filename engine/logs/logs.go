// Package logs stores the logs of engines and servers in files of the user, so that they can be read after
// the engine has ended.
//
// Each engine has a file, and so has each server. Engines that run the same server write to the same file, in
// batches of whole lines. A full file becomes the old file and replaces the previous one. So the number and
// size of files are limited: see [MaxFile], [MaxServers] and [MaxEngines]. Lines contain no secrets and no
// invisible characters.
//
// Nobody waits for the disk: a [Writer] has a queue, and lines that do not fit into it are counted
// (docs/adr/073-logs.md).
package logs

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Limits of what is kept.
const (
	MaxFile    = 256 << 10 // bytes of one file; each log has two, the current and the old one
	MaxServers = 200       // servers that have files
	MaxEngines = 20        // engines that have files
)

// Line is one line of a log.
type Line struct {
	Pid     int    `json:"pid"`              // of the engine
	Client  string `json:"client,omitempty"` // that started it, as far as known
	Toolbox string `json:"toolbox,omitempty"`
	Server  string `json:"server,omitempty"` // empty for a line of the engine itself

	status.LogLine
}

// Folder is the folder of the logs. See [paths.Folders.Logs].
type Folder string

// File name extensions.
const (
	ending    = ".jsonl"
	oldEnding = ".old" + ending
)

func (f Folder) servers() string { return filepath.Join(string(f), "servers") }
func (f Folder) engines() string { return filepath.Join(string(f), "engines") }

// server returns the current file of a server. Configurations are distinguished by their path. The beginning
// of the file name is for people.
func (f Folder) server(config, toolbox, server string) string {
	return filepath.Join(f.servers(),
		readable(toolbox)+"-"+readable(server)+"."+ofToolbox(config, toolbox)+"."+hash(server)+ending)
}

// engine returns the current file of an engine.
func (f Folder) engine(started time.Time, pid int) string {
	return filepath.Join(f.engines(), started.UTC().Format("20060102T150405")+"-"+strconv.Itoa(pid)+ending)
}

func ofToolbox(config, toolbox string) string { return hash(config + "\x00" + toolbox) }

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// readable returns the part of a name that is allowed in a file name on every system.
func readable(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case b.Len() == 20:
			return b.String()
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_':
			b.WriteRune(r)
		case r >= 'A' && r <= 'Z':
			b.WriteRune(r - 'A' + 'a')
		}
	}
	return b.String()
}

// old returns the old file beside a current one.
func old(path string) string { return strings.TrimSuffix(path, ending) + oldEnding }

// current returns the paths of the current files in a folder, sorted, including those of which only the old
// file exists.
func current(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var found []string
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), oldEnding)
		if !ok {
			name, ok = strings.CutSuffix(entry.Name(), ending)
		}
		if ok && entry.Type().IsRegular() {
			found = append(found, filepath.Join(folder, name+ending))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
