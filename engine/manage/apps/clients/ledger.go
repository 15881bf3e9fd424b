package clients

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Record describes an entry that we made, so that it can be removed completely.
type Record struct {
	Client string    `json:"client"`
	File   string    `json:"file"`
	Name   string    `json:"name"` // of the entry
	Time   time.Time `json:"time"`

	// Program and Args are what the entry starts.
	Program string   `json:"program"`
	Args    []string `json:"args"`

	// Before and After are the SHA-256 of the whole file in hexadecimal. Before is empty if there was no
	// file. Backup is the name of the copy of the file before the change; there is none of a large file, whose
	// content before follows from Inserted.
	Before string `json:"before,omitempty"`
	After  string `json:"after"`
	Backup string `json:"backup,omitempty"`

	// Exact is set if the backup is the file without our entry. It may then be put back as long as nothing
	// else has changed.
	Exact bool `json:"exact,omitempty"`

	// Created is set if we made the file. Folders are the folders that we made for it, the innermost first.
	// Made is set if we made the group that holds the entry.
	Created bool     `json:"created,omitempty"`
	Folders []string `json:"folders,omitempty"`
	Made    bool     `json:"made,omitempty"`

	// Project is the folder of the project that the entry is for; "" if it is for all projects. Only entries
	// that people have made with a command have a project, and these are not kept in the ledger.
	Project string `json:"-"`

	// Inserted is the inserted text, if all of it is in one place.
	Inserted string `json:"inserted,omitempty"`
}

// ledger is the folder of the records and backups.
type ledger struct{ folder string }

type ledgerFile struct {
	Format  int      `json:"format"`
	Records []Record `json:"records"`
}

func (l ledger) entries() notes[ledgerFile] {
	return notes[ledgerFile]{
		l, filepath.Join(l.folder, "ledger.json"), "clients.ledger_unread",
		func() ledgerFile { return ledgerFile{Format: notesFormat} }, true,
	}
}

// records returns the records.
func (l ledger) records() ([]Record, error) {
	file, _, err := l.entries().load()
	return file.Records, err
}

// lockPatience is how long to wait while another process of ours uses the ledger.
const lockPatience = 10 * time.Second

// locked calls work while no other process of ours uses the ledger.
func (l ledger) locked(work func() error) error {
	if err := os.MkdirAll(l.folder, 0o700); err != nil {
		return words.NewError("clients.no_folder", "Why", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	lock := flock.New(filepath.Join(l.folder, "lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return words.NewError("clients.not_locked", "Path", l.folder, "Why", err)
	}
	defer lock.Close()
	return work()
}

// put stores a record in place of an older one for the same file and client; drop removes it.
func (l ledger) put(r Record) error {
	return l.entries().change(func(file *ledgerFile) bool {
		file.Records = append(slices.DeleteFunc(file.Records, r.sameFile), r)
		return true
	})
}

func (l ledger) drop(r Record) error {
	return l.entries().change(func(file *ledgerFile) bool {
		file.Records = slices.DeleteFunc(file.Records, r.sameFile)
		return true
	})
}

func (r Record) sameFile(other Record) bool { return r.Client == other.Client && r.File == other.File }

// backup stores a copy of a file, and returns the name of the copy.
func (l ledger) backup(client string, source []byte) (string, error) {
	name := client + "-" + excerpt.Sum(source)[:16] + ".backup"
	path := filepath.Join(l.folder, name)
	if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, source) {
		return name, nil
	} else if err == nil {
		return name, atomicfile.Replace(path, source, there)
	}
	if err := atomicfile.Replace(path, source, nil); err != nil {
		return "", words.NewError("clients.no_backup", "Path", path, "Why", err)
	}
	return name, nil
}

// discard removes a backup if no record needs it.
func (l ledger) discard(name string) {
	records, err := l.records()
	if err != nil || slices.ContainsFunc(records, func(r Record) bool { return r.Backup == name }) {
		return
	}
	_ = os.Remove(filepath.Join(l.folder, filepath.Base(name)))
}

// restore returns the backup of a record. ok is false if the backup is gone or was changed.
func (l ledger) restore(r Record) ([]byte, bool) {
	if r.Backup == "" {
		return nil, false
	}
	source, err := os.ReadFile(filepath.Join(l.folder, filepath.Base(r.Backup)))
	return source, err == nil && excerpt.Sum(source) == r.Before
}
