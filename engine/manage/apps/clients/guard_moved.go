package clients

import (
	"path/filepath"
	"slices"
	"time"
)

// moved corrects an entry that is as we wrote it, but whose program is gone: the client cannot start it any more. It
// then starts this program, as [GuardOptions] says. Only a program in another folder counts, since an installer takes
// the old one away for a moment before the new one is there.
func (g *Guard) moved(c Client, record Record, soon func(time.Duration)) {
	key := record.Client + "\x00" + record.File
	if !g.mislaid(c, record) {
		delete(g.suspected, key)
		delete(g.waited, key)
		return
	}
	since, suspected := g.suspected[key]
	if now := g.registrar.now(); !suspected {
		g.suspected[key], since = now, now
	}
	if left := guardBelief - g.registrar.now().Sub(since); left > 0 {
		soon(left)
		return
	}
	launch, err := g.launch(c, record)
	if err != nil {
		g.complain(err)
		return
	}
	change, _, err := g.registrar.connectFile(c, launch, record, true)
	if err == nil {
		err = g.registrar.CheckRunning(c)
	}
	if err == nil {
		g.log.Info("Correcting an entry whose program has moved", "client", c.ID, "file", record.File)
		err = g.registrar.write(change)
	}
	if err == nil {
		return
	}
	// It is said wherever clients are listed that the entry starts another program.
	g.complain(err)
	if soon(guardPoll); forNow(err) {
		soon(guardQuit)
	}
}

// mislaid reports whether an entry is as in its record, but its program is gone, while ours is in another folder.
func (g *Guard) mislaid(c Client, record Record) bool {
	launch := Launch{Program: record.Program}
	if g.registrar.system.exists(launch) == nil {
		return false
	}
	now, err := g.options.Launch()
	if err != nil || g.registrar.system.exists(now) != nil || filepath.Dir(now.Program) == filepath.Dir(record.Program) {
		return false
	}
	form, _ := c.form(record.File)
	source, err := form.Content(record.File)
	if err != nil || source == nil {
		return false
	}
	d, err := form.read(source.Text)
	if err != nil {
		return false
	}
	name, _ := d.choose(record)
	command, args, ok := form.command(d.entries()[name])
	return ok && command == record.Program && slices.Equal(args, record.Args)
}
