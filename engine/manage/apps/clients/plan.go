package clients

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Plan says what connecting or disconnecting a client would do. Nothing has been changed yet.
type Plan struct {
	Client  Client
	Connect bool
	Changes []Change
	Notes   []words.Text // what people should know

	// Runs are the client's own commands, for a client whose file we do not write and whose program is found;
	// there are none if there is nothing to do. Line has them as people would type them. Such a plan has no
	// Changes.
	Runs []Command
	Line string

	// Paste has the commands that people must run themselves because the program is not found; "" if there is
	// nothing to do. Such a plan has no Changes.
	Paste string

	// Entry is the text that people must write themselves into a file that was refused for its form.
	Entry string

	launch Launch
}

// Change is the change to one file. Nil content means that the file does not exist. In the texts of a large file long
// values are left out.
type Change struct {
	File          string
	Before, After []byte
	Name          string // of our entry
	Corrects      bool   // our entry is there already, but starts something else

	file   *excerpt.File // with Before; nil if there is no file
	record Record
	forget bool // the record is removed
	former bool // our entry is removed even when connecting, since an earlier version has put it there
	diff   string
}

// Changed reports whether the file will be different.
func (c Change) Changed() bool {
	return (c.Before == nil) != (c.After == nil) || string(c.Before) != string(c.After)
}

// KeepsCopy reports whether the file is copied before it is changed. A large file is not: removing what was inserted
// gives the same bytes.
func (c Change) KeepsCopy() bool { return c.Changed() && c.file != nil && c.file.Whole() }

// Changed reports whether any file will be different.
func (p Plan) Changed() bool {
	return len(p.Runs) > 0 || slices.ContainsFunc(p.Changes, Change.Changed)
}

// PlanConnect plans how to make a client start Workbench. Errors about a file are [RefusedError]s.
func (r *Registrar) PlanConnect(c Client, launch Launch) (Plan, error) {
	plan := Plan{Client: c, Connect: true, Notes: r.system.Policy(c), launch: launch}
	if err := r.system.exists(launch); err != nil {
		return plan, err
	}
	if c.ByHand != "" {
		commands, err := r.toConnect(c, launch)
		return r.byCommand(plan, commands, err)
	}
	records, err := r.ledger.records()
	if err != nil {
		return plan, err
	}
	found := r.system.Locate(c)
	for _, file := range found.Files {
		if file.Instead != "" {
			return plan, &RefusedError{file.Path, words.NewError("clients.hides", "Client", c.Name, "File", file.Instead)}
		}
		record := Record{Client: c.ID, File: file.Path}
		known := false
		if i := slices.IndexFunc(records, record.sameFile); i >= 0 {
			record, known = records[i], true
		}
		change, notes, err := r.connectFile(c, launch, record, known)
		if err != nil {
			if errors.Is(err, ErrShape) {
				plan.Entry = c.alone(launch)
			}
			return plan, &RefusedError{file.Path, err}
		}
		change.diff = c.diff(change)
		plan.Changes = append(plan.Changes, change)
		plan.Notes = append(plan.Notes, notes...)
	}
	former, err := r.formerChanges(c, records)
	if err != nil {
		return plan, err
	}
	for _, change := range former {
		plan.Changes = append(plan.Changes, change)
		plan.Notes = append(plan.Notes, words.New("clients.note_former", "File", change.File))
	}
	if len(found.Files) > 1 {
		plan.Notes = append(plan.Notes, words.New("clients.note_files", "Client", c.Name, "Files", len(found.Files)))
	}
	if !found.Installed {
		plan.Notes = append(plan.Notes, c.Say("clients.note_not_found"))
	}
	return plan, nil
}

// formerChanges returns the changes that remove our entries from files that only earlier versions of
// Workbench wrote.
func (r *Registrar) formerChanges(c Client, records []Record) (changes []Change, err error) {
	for _, former := range c.formers() {
		var files []string
		for _, file := range r.system.Locate(former).Files {
			files = append(files, file.Path)
		}
		for _, record := range records {
			if _, is := c.form(record.File); is && record.Client == c.ID && !slices.Contains(files, record.File) {
				files = append(files, record.File)
			}
		}
		for _, file := range files {
			record := Record{Client: c.ID, File: file}
			i := slices.IndexFunc(records, record.sameFile)
			if i >= 0 {
				record = records[i]
			}
			change, err := r.disconnectFile(former, file, record, i >= 0)
			if err != nil {
				if i < 0 { // not written by us, and it cannot be read
					continue
				}
				return nil, &RefusedError{file, err}
			}
			if change.former = true; change.Changed() || change.forget {
				change.diff = former.diff(change)
				changes = append(changes, change)
			}
		}
	}
	return changes, nil
}

func (r *Registrar) connectFile(c Client, launch Launch, record Record, known bool) (Change, []words.Text, error) {
	c, launch = r.system.at(c, record.File), launch.in(c, record.File)
	file, err := c.Content(record.File)
	if err != nil {
		return Change{}, nil, err
	}
	before := textOf(file)
	d, err := c.read(before)
	if err != nil {
		return Change{}, nil, err
	}
	var notes []words.Text
	if d.mark != "" {
		notes = append(notes, words.New("clients.note_mark", "File", record.File, "Client", c.Name))
	}
	name, ours := d.choose(record)
	if _, taken := d.entries()[usualName]; taken && !ours {
		notes = append(notes, words.New("clients.note_other_entry", "File", record.File, "Name", words.Quoted(usualName),
			"Ours", words.Quoted(name)))
	}
	change := Change{File: record.File, Before: before, After: before, Name: name, file: file, record: record}
	record.Client, record.Name, record.Program, record.Args, record.Time = c.ID, name, launch.Program, launch.Args(c.ID),
		r.now().UTC()
	if ours && c.is(d.entries()[name], launch) {
		if known {
			record.Time = change.record.Time // the entry is unchanged, so earlier proofs still hold
		} else { // not written by us
			record.After = file.Sum()
		}
		change.record = record
		return change, notes, nil
	}
	change.Corrects = ours
	e := entryFor(d.client, launch, name)
	switch original, ok := r.ledger.restore(record); {
	case known && record.Exact && record.Created && sumOf(file) == record.After:
		d, original = document{client: c}, nil
		if d, err = c.read(nil); err == nil {
			change.After, err = d.with(e, launch)
		}
		record.Inserted = insertion(nil, change.After)
	case known && record.Exact && ok && sumOf(file) == record.After:
		// This is an old entry of ours, and nothing else has changed since: start from the file without it.
		if d, err = c.read(original); err == nil {
			change.After, err = d.with(e, launch)
		}
		record.Inserted = insertion(original, change.After)
	default:
		change.After, err = d.with(e, launch)
		_, grouped := d.all[c.Key[0]]
		created := before == nil
		if ours { // the file without our entry is unknown
			record.Exact, record.Inserted = false, ""
		} else {
			record.Exact, record.Inserted, record.Made = true, insertion(before, change.After), !grouped
			record.Created = created
			if !created {
				record.Folders = nil
			}
		}
		record.Before, record.Backup = "", ""
		if !created {
			record.Before = file.Sum()
		}
	}
	if err != nil {
		return change, nil, err
	}
	if record.After, err = change.sum(); err != nil {
		return change, nil, err
	}
	change.record = record
	return change, notes, nil
}

// choose returns the name of our entry, or a free name for it. ours reports whether the entry exists.
func (d document) choose(record Record) (name string, ours bool) {
	entries := d.entries()
	var found []string
	for name, value := range entries {
		if d.client.ours(value, record) {
			found = append(found, name)
		}
	}
	if slices.Sort(found); len(found) > 0 {
		for _, liked := range []string{record.Name, usualName} {
			if slices.Contains(found, liked) {
				return liked, true
			}
		}
		return found[0], true
	}
	for i := 1; ; i++ {
		name := usualName
		if i > 1 {
			name = fmt.Sprintf("%s-%d", usualName, i)
		}
		if _, taken := entries[name]; !taken {
			return name, false
		}
	}
}

// PlanDisconnect plans how to restore a client's files. If nothing else has changed in a file, it becomes
// exactly what it was; otherwise only our entry is removed. Errors about a file are [RefusedError]s.
func (r *Registrar) PlanDisconnect(c Client) (Plan, error) {
	plan := Plan{Client: c}
	if c.ByHand != "" {
		commands, err := r.toDisconnect(c)
		if err != nil {
			return plan, err
		}
		return r.byCommand(plan, commands, nil)
	}
	records, err := r.ledger.records()
	if err != nil {
		return plan, err
	}
	var files []string
	known := map[string]Record{}
	for _, record := range records {
		if _, former := c.form(record.File); record.Client == c.ID && !former {
			files = append(files, record.File)
			known[record.File] = record
		}
	}
	for _, file := range r.system.Locate(c).Files {
		if _, there := known[file.Path]; !there {
			files = append(files, file.Path)
		}
	}
	for _, file := range files {
		record, there := known[file]
		change, err := r.disconnectFile(c, file, record, there)
		if err != nil {
			return plan, &RefusedError{file, err}
		}
		if change.Changed() || change.forget {
			change.diff = c.diff(change)
			plan.Changes = append(plan.Changes, change)
		}
	}
	former, err := r.formerChanges(c, records)
	plan.Changes = append(plan.Changes, former...)
	return plan, err
}

func (r *Registrar) disconnectFile(c Client, file string, record Record, known bool) (Change, error) {
	change := Change{File: file, Name: record.Name, record: record, forget: known}
	var err error
	if change.file, err = c.Content(file); err != nil || change.file == nil {
		return change, err
	}
	change.Before = textOf(change.file)
	change.After = change.Before
	original, restorable := r.ledger.restore(record)
	if known && record.Exact && change.file.Sum() == record.After && (record.Created || restorable) {
		change.After = original
		return change, nil
	}
	for {
		d, err := c.read(change.After)
		if err != nil {
			return change, err
		}
		name, ours := d.choose(record)
		if !ours {
			if change.Changed() && record.Made && nothingIn(bytes.TrimSpace(bytes.Replace(d.text, []byte(c.Head), nil, 1))) {
				switch {
				case record.Created:
					change.After = nil
				case restorable && blank(original):
					change.After = original
				}
			}
			return change, nil
		}
		change.Name = name
		if change.After, err = d.without(name, record.Inserted, record.Made); err != nil {
			return change, err
		}
	}
}

// nothingIn reports whether a text has no content, not even a comment.
func nothingIn(text []byte) bool {
	rest := strings.Join(strings.Fields(string(text)), "")
	return rest == "" || rest == "{}"
}

// Connected returns the ids of the clients in the ledger, and of those that people have connected with a
// command, in the order of the table.
func (r *Registrar) Connected() ([]string, error) {
	records, err := r.ledger.records()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, c := range All() {
		of := func(record Record) bool { return record.Client == c.ID }
		if c.ByHand != "" {
			byHand, _ := r.byHand(c) // a file that cannot be read counts as not connected
			of = func(Record) bool { return len(byHand) > 0 }
			records = append(records, byHand...)
		}
		if slices.ContainsFunc(records, of) {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}

// alone returns the whole file that a client would have with only our entry.
func (c Client) alone(l Launch) string {
	text, err := c.syntax().insert(nil, c.Key, entryFor(c, l, usualName))
	if err != nil { // an empty file has nothing that could prevent it
		return ""
	}
	return string(text)
}

// missingFolders returns the folders to make for a file, the innermost first.
func missingFolders(file string) []string {
	var missing []string
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if there(folder) || folder == filepath.Dir(folder) {
			return missing
		}
		missing = append(missing, folder)
	}
}
