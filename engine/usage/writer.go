package usage

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// The times of a [Writer].
const (
	firstPause   = time.Second      // from the first call until it is written
	usualPause   = 5 * time.Second  // between two writes
	troublePause = 30 * time.Second // after the store could not be written
	lockPatience = time.Second      // for other programs that have the store open
)

// maxCounted is how many tools and toolboxes are counted individually between two writes. The calls of others
// are lost.
const maxCounted = 1000

// Toolbox is a toolbox that is offered to a client, with its servers that are turned on.
type Toolbox struct {
	Name    string
	Servers []string
	Open    bool // its tools are always given to the model
}

// Options say what a [Writer] counts and where it stores that.
type Options struct {
	Folder      Folder
	Preferences string // the file with the setting; see [Wanted]
	Config      string // the path of the configuration
	App         string // the ID, in the client's entry, of the app that started the engine; may be empty
	Logger      *slog.Logger
	Now         func() time.Time // nil means [time.Now]
}

// Writer counts the usage of one engine and adds it to the store at intervals. It begins with the first call
// or opening: an engine that is never used writes nothing. Its methods are safe for concurrent use and never
// wait for the disk. A nil Writer counts nothing.
type Writer struct {
	options Options
	config  string // as it is stored
	batches *background.Batches

	mu     sync.Mutex
	app    string
	offers func() []Toolbox
	calls  map[called]*Calls
	opened map[string]*Box // by toolbox
	closed bool

	// the day on which the session was counted; this and the next two are used only by the goroutine that writes
	day     string
	counted map[string]bool // the toolboxes counted on that day, and whether as used
	trouble bool            // the last write failed, and the log says so
}

// called identifies a tool that was called.
type called struct{ toolbox, server, tool string }

// NewWriter returns a Writer. It does not access the disk before there is something to store. The caller must
// close it.
func NewWriter(o Options) *Writer {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	w := &Writer{options: o, config: ofConfig(o.Config), app: o.App, calls: map[called]*Calls{},
		opened: map[string]*Box{}}
	w.batches = background.NewBatches(w.write, firstPause, usualPause, troublePause)
	return w
}

// SetApp sets the name by which the client identifies itself. It is used if [Options.App] is empty.
func (w *Writer) SetApp(name string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.app == "" {
		w.app = name
	}
}

// SetOffered sets the function that returns what is offered to the client. Without it, nothing is counted. It
// is called by the goroutine that writes.
func (w *Writer) SetOffered(offers func() []Toolbox) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.offers = offers
}

// Call counts a call that has ended.
func (w *Writer) Call(toolbox, server, tool string, took time.Duration, failed bool) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	at := called{toolbox, server, tool}
	c := w.calls[at]
	if c == nil {
		if w.closed || len(w.calls) >= maxCounted {
			return
		}
		c = &Calls{Steps: make([]int, 0, maxSteps)}
		w.calls[called{strings.Clone(toolbox), strings.Clone(server), strings.Clone(tool)}] = c
	}
	c.count(w.options.Now(), took, failed)
	w.batches.Wake()
}

// Opened counts that the tools of a toolbox were given to the model, with their number and the bytes of their
// definitions.
func (w *Writer) Opened(toolbox string, tools, bytes int) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.opened[toolbox]
	if b == nil {
		if w.closed || len(w.opened) >= maxCounted {
			return
		}
		b = &Box{}
		w.opened[strings.Clone(toolbox)] = b
	}
	b.add(Box{Opened: 1, Tools: tools, Tokens: Tokens(bytes), Measured: w.options.Now()})
	w.batches.Wake()
}

// Close writes the counts. It returns when that is done, or after patience.
func (w *Writer) Close(patience time.Duration) {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.batches.Close(patience)
}

// batch has the counts for one write.
type batch struct {
	app    string
	offers func() []Toolbox
	calls  map[called]*Calls
	opened map[string]*Box
}

// take takes the current counts.
func (w *Writer) take() batch {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := batch{w.app, w.offers, w.calls, w.opened}
	w.calls, w.opened = map[called]*Calls{}, map[string]*Box{}
	return b
}

// giveBack adds counts again that could not be written.
func (w *Writer) giveBack(b batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for at, calls := range w.calls {
		if old := b.calls[at]; old != nil {
			old.add(*calls)
		} else if len(b.calls) < maxCounted {
			b.calls[at] = calls
		}
	}
	for name, box := range w.opened {
		if old := b.opened[name]; old != nil {
			old.add(*box)
		} else if len(b.opened) < maxCounted {
			b.opened[name] = box
		}
	}
	w.calls, w.opened = b.calls, b.opened
}

// write adds the counts to the store. It reports whether nothing is left to write.
func (w *Writer) write() bool {
	b := w.take()
	if len(b.calls)+len(b.opened) == 0 || b.offers == nil {
		return true
	}
	if !Wanted(w.options.Preferences) {
		return true
	}
	now := w.options.Now()
	session := w.session(b, now)
	if err := w.keep(b, session, now); err != nil {
		if !w.trouble {
			w.options.Logger.Warn("What is called is not counted", "folder", string(w.options.Folder), "error", err)
		}
		w.trouble = true
		w.giveBack(b)
		return false
	}
	w.trouble = false
	w.day, w.counted = session.day, session.counted
	return true
}

// keep adds a batch to the store, unless usage was turned off meanwhile.
func (w *Writer) keep(b batch, s session, now time.Time) error {
	folder := w.options.Folder
	return folder.locked(lockPatience, func() error {
		if !Wanted(w.options.Preferences) {
			return nil
		}
		if _, err := os.Stat(folder.file(s.day)); errors.Is(err, fs.ErrNotExist) { // a new day
			if err := folder.forgetBefore(firstDay(now)); err != nil {
				return err
			}
		}
		today, badDay, err := folder.readDay(s.day)
		if err != nil {
			return err
		}
		servers, badServers, err := folder.readServers()
		if err != nil {
			return err
		}
		if badDay || badServers {
			w.options.Logger.Warn("Lines of the usage were damaged and are left out", "folder", string(folder))
			today.lost = true
		}
		w.add(today, b, s)
		if w.see(&servers, s.servers, now) || badServers {
			if err := folder.writeServers(servers); err != nil {
				return err
			}
		}
		return folder.writeDay(s.day, today)
	})
}

// session is what is counted of the engine's session, once a day.
type session struct {
	day     string
	counted map[string]bool // the toolboxes counted by then, and whether as used
	boxes   map[string]Box  // what is added, by toolbox
	servers []called        // that exist; tool is empty
}

// session returns what is counted of the session, besides the calls and openings of a batch.
func (w *Writer) session(b batch, now time.Time) session {
	s := session{day: now.Format(dayFormat), counted: map[string]bool{}, boxes: map[string]Box{}}
	if s.day == w.day {
		for name, used := range w.counted {
			s.counted[name] = used
		}
	}
	used := map[string]bool{}
	for name := range b.opened {
		used[name] = true
	}
	for at := range b.calls {
		used[at.toolbox] = true
	}
	for _, toolbox := range b.offers() {
		name, box := toolbox.Name, Box{}
		used[name] = used[name] || toolbox.Open
		before, known := s.counted[name]
		if !known {
			box.Sessions = 1
		}
		if used[name] && !before {
			box.Used = 1
		}
		if opened := b.opened[name]; opened != nil {
			box.add(*opened)
		}
		s.counted[name] = before || used[name]
		if box != (Box{}) {
			s.boxes[name] = box
		}
		for _, server := range toolbox.Servers {
			s.servers = append(s.servers, called{toolbox: name, server: server})
		}
	}
	return s
}

// add adds a batch to a day.
func (w *Writer) add(today day, b batch, s session) {
	app := Name(b.app)
	there := map[called]bool{}
	for _, at := range s.servers {
		there[at] = true
	}
	for at, counted := range b.calls {
		if !there[called{toolbox: at.toolbox, server: at.server}] {
			continue // there is no such server, whatever the client has called
		}
		today.addCalls(callKey{w.config, app, Name(at.toolbox), Name(at.server), Name(at.tool)}, *counted)
	}
	for name, box := range s.boxes {
		key := boxKey{w.config, app, Name(name)}
		sum, found := today.boxes[key]
		if !found && len(today.boxes) >= maxBoxes {
			continue
		}
		sum.add(box)
		today.boxes[key] = sum
	}
}

// addCalls adds calls to a row. If there are too many rows, it uses a row with fewer names.
func (d day) addCalls(key callKey, counted Calls) {
	if _, found := d.calls[key]; !found && len(d.calls) >= maxRows {
		key.tool = ""
		if _, found := d.calls[key]; !found && len(d.calls) >= fullRows {
			key = callKey{config: key.config}
		}
	}
	addTo(d.calls, key, counted)
}

// see records which servers exist, and forgets those that have not existed for longer than calls are kept. It reports
// whether anything has changed.
func (w *Writer) see(known *known, there []called, now time.Time) (changed bool) {
	if known.since.IsZero() {
		known.since, changed = now, true
	}
	for _, at := range there {
		key := seenKey{w.config, Name(at.toolbox), Name(at.server)}
		s, found := known.servers[key]
		if found && now.Sub(s.Last) < time.Hour && !s.Last.After(now) {
			continue // not with every batch
		}
		if !found {
			if len(known.servers) >= maxSeen {
				continue
			}
			s.First = now
		}
		s.Last, changed = now, true
		known.servers[key] = s
	}
	for key, s := range known.servers {
		if now.Sub(s.Last) > Days*24*time.Hour {
			delete(known.servers, key)
			changed = true
		}
	}
	return changed
}

// firstDay returns the first day that is kept.
func firstDay(now time.Time) string { return now.AddDate(0, 0, 1-Days).Format(dayFormat) }
