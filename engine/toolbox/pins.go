package toolbox

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Package pin keeps the approved definitions of a server's tools in a file that all engines share. It is read when the server has been
// connected. A tool whose definition has changed since is withheld: no list has it, and a call of it fails. While a server has withheld
// tools, its file is watched, so that an approval by any program counts at once.

// Why a call of a withheld tool fails.
const (
	errToolChanged = words.Code("toolbox.tool_changed")
	errToolUnread  = words.Code("toolbox.tool_unread")
	errToolsFull   = words.Code("toolbox.tool_beyond")
)

const (
	// keepPause is the least time between two writings of one server's pins: its list may change all the time.
	keepPause = time.Second
	// pinPoll is how often files are looked at in case no notice comes.
	pinPoll = 2 * time.Second
	// maxNamed is how many tools a sentence names.
	maxNamed = 10
)

// pinning is what a link knows of the pins of its server. It is guarded by Manager.mu.
type pinning struct {
	loaded       bool // the server has been connected, and its file was read
	key          pin.Hash
	record       *pin.Record              // nil when nothing is kept yet
	trusted      bool                     // the entry that was approved and connected takes changes up
	unread       bool                     // the file exists and could not be read; all tools are withheld until it can be
	withheld     map[string]bool          // see [pin.Verdict]
	waiting      int                      // how many of these the filters let through, and a person is asked about
	full         bool                     // the log says already that there is no room for new tools
	marked       int                      // tools whose words were told of
	told         map[pin.WordsID]bool     // items of other lists whose words are left out, as the log says
	words        map[pin.WordsID]pin.Hash // items of other lists that are not in the file yet
	writing      bool                     // the file is being written
	stale        bool                     // and has to be written once more
	instructions json.RawMessage          // the definition of the server's instructions; nil if it has none
	looked       int                      // bytes of items of other lists that were searched for words that steer a model
}

// inherit copies the knowledge about a server from the last link to a new one. When an entry says that its server is trusted, that has
// no effect until the entry has been approved and the server connected. The caller holds m.mu.
func (m *Manager) inherit(l, old *link) {
	l.pins = old.pins
	l.pins.writing, l.pins.stale = false, false
	l.pins.trusted = l.pins.trusted && l.entry.TrustToolChanges // nobody has approved the new entry yet
	m.know(l, old.tools.known, l.entry)
}

// readPins reads the pins of a link's server, whose entry has been approved. No other goroutine uses the link's session yet.
func (m *Manager) readPins(l *link) {
	if m.options.Pins == nil {
		return
	}
	key := pin.KeyOf(l.entry)
	record, err := m.options.Pins.Load(key)
	if err != nil {
		l.journal.say(words.New("toolbox.pins_unreadable", "Why", err))
		m.log.Warn("What the server's tools were cannot be read; they are withheld until it can", "toolbox", l.toolbox, "server", l.entry.Name, "error", err)
	}
	if record != nil && record.Lost {
		l.journal.say(words.New("toolbox.pins_damaged"))
		m.log.Warn("The file of what the server's tools were is damaged; they wait for the user's approval", "toolbox", l.toolbox, "server", l.entry.Name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l.pins.trusted = l.entry.TrustToolChanges
	l.pins.loaded, l.pins.key, l.pins.record, l.pins.unread = true, key, record, err != nil
}

// verdict decides which tools of a list may be offered: none while the approved definitions cannot be read.
func (p *pinning) verdict(tools []pin.Definition, version string) pin.Verdict {
	if !p.unread || p.trusted {
		return p.record.Judge(tools, version, p.trusted)
	}
	all := make(map[string]bool, len(tools))
	for _, tool := range tools {
		all[tool.Name] = false
	}
	return pin.Verdict{Withheld: all}
}

// judge finds out which tools are withheld, and reports whether they are others than before. The caller holds m.mu.
func (m *Manager) judge(l *link, tools []downstream.Item, server *config.Server) (changed bool) {
	p := &l.pins
	if !p.loaded {
		return false
	}
	verdict := p.verdict(l.definitions(tools), l.about.version)
	before := p.withheld
	p.withheld, p.waiting = verdict.Withheld, 0
	var news []string
	for name, asks := range p.withheld {
		if asks && (server == nil || server.Allows(name) || name == pin.Instructions) {
			p.waiting++
		}
		if _, ok := before[name]; !ok && (asks || p.record.Has(name)) {
			news = append(news, name)
		}
	}
	if len(news) > 0 && !p.unread {
		l.journal.say(words.New("toolbox.tools_withheld", "Count", len(news), "Names", named(news)))
		m.log.Warn("Tools have changed and wait for the user's approval", "toolbox", l.toolbox, "server", l.entry.Name, "tools", named(news))
	}
	if verdict.Full > 0 && !p.full {
		p.full = true
		l.journal.say(words.New("toolbox.tools_full"))
		m.log.Warn("The server has had too many different tools; new ones are withheld", "toolbox", l.toolbox, "server", l.entry.Name, "withheld", verdict.Full)
	}
	for name := range before {
		if _, ok := p.withheld[name]; !ok {
			l.journal.say(words.New("toolbox.tool_approved", "Name", downstream.Clean(name, maxName)))
		}
	}
	if verdict.Stale || p.record != nil && p.record.Lists != l.listsBeside() {
		m.keepPins(l)
	}
	if len(p.withheld) > 0 && !m.following && !m.closed {
		m.following = true
		m.running.Go(m.followPins)
	}
	return !maps.Equal(before, p.withheld)
}

// offered returns the tools of a link that clients may see. The caller holds Manager.mu.
func (l *link) offered(server *config.Server) []downstream.Item {
	if l.pins.withheld == nil {
		return allowed(server, l.tools.known)
	}
	return slices.DeleteFunc(slices.Clone(l.tools.known), func(t downstream.Item) bool {
		_, withheld := l.pins.withheld[t.Name]
		return withheld || !server.Allows(t.Name)
	})
}

// withheldTools returns the tools of a link that are withheld, those left out that the filters keep from clients anyway. The caller holds
// Manager.mu.
func (l *link) withheldTools(server *config.Server) []downstream.Item {
	var tools []downstream.Item
	for _, tool := range l.tools.known {
		if _, withheld := l.pins.withheld[tool.Name]; withheld && server.Allows(tool.Name) {
			tools = append(tools, tool)
		}
	}
	return tools
}

func (m *Manager) offered(l *link, server *config.Server) []downstream.Item {
	m.mu.Lock()
	defer m.mu.Unlock()
	return l.offered(server)
}

// whyWithheld returns why a tool is withheld, nil when it is not.
func (m *Manager) whyWithheld(l *link, tool string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, withheld := l.pins.withheld[tool]
	switch {
	case !withheld:
		return nil
	case l.pins.unread:
		return errToolUnread
	case l.pins.full && !l.pins.record.Has(tool):
		return errToolsFull
	}
	return errToolChanged
}

// otherTools returns the names of our own tools and of all tools of open toolboxes except those of a link. The caller holds m.mu.
func (m *Manager) otherTools(l *link) []string {
	names := []string{"open_toolbox", "close_toolbox", "use_tool", "find_tools"}
	for _, b := range m.open {
		for _, other := range b.links {
			if other != l {
				names = append(names, toolNames(other.tools.known)...)
			}
		}
	}
	return names
}

// keepPins stores the definitions of a server's tools in the background, so that nobody waits for it. The caller holds m.mu.
func (m *Manager) keepPins(l *link) {
	l.pins.stale = true
	if l.pins.writing || m.closed {
		return
	}
	l.pins.writing = true
	m.running.Go(func() {
		for m.keepOnce(l) {
			pause := time.NewTimer(keepPause)
			select {
			case <-pause.C:
			case <-m.lifetime.Done():
				pause.Stop()
			}
		}
	})
}

// keepOnce writes what a server's tools are now, and reports whether they have changed again meanwhile.
func (m *Manager) keepOnce(l *link) (again bool) {
	m.mu.Lock()
	p := &l.pins
	p.stale = false
	key, had, tools, version, trusted := p.key, p.record, l.definitions(l.tools.known), l.about.version, p.trusted
	items := p.words
	p.words = nil
	lists := l.listsBeside()
	names := pin.NewNames(m.otherTools(l))
	m.mu.Unlock()

	marked := 0
	take := func(now *pin.Record) *pin.Record {
		verdict := now.Judge(tools, version, trusted)
		if verdict.Stale || now != nil && now.Lists != lists {
			marked = m.sayNews(l, now, verdict, tools, names)
			now = now.With(l.id().String(), tools, version, trusted)
			now.Lists = lists
		}
		if len(items) > 0 {
			now = now.WithWords(items, trusted)
		}
		return now
	}
	record, err := m.options.Pins.Update(context.WithoutCancel(m.lifetime), key, take) // an engine that is about to end still writes

	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		if !m.unkept {
			m.unkept = true
			m.log.Warn("What servers' tools were cannot be kept; changes are noticed until this engine ends", "error", err)
			l.journal.say(words.Of(err))
		}
		record = had.With(l.id().String(), tools, version, trusted).WithWords(items, trusted)
		record.Lists = lists
	}
	p.record = record
	p.marked = max(p.marked, marked)
	revision := l.tools.revision
	m.know(l, l.tools.known, m.configured(l))
	if revision != l.tools.revision || marked > 0 {
		m.touch()
	}
	if revision != l.tools.revision {
		m.running.Go(func() { m.changed(toolsOnly()) })
	}
	p.writing = p.stale && !m.closed
	return p.writing
}

// sayNews logs new tools, accepted changes, and words in new definitions that try to steer a model. It returns how many tools have such
// words.
func (m *Manager) sayNews(l *link, before *pin.Record, verdict pin.Verdict, tools []pin.Definition, names *pin.Names) (marked int) {
	if added := slices.DeleteFunc(slices.Clone(verdict.New), func(name string) bool { return name == pin.Instructions }); before != nil && len(added) > 0 {
		l.journal.say(words.New("toolbox.tools_new", "Count", len(added), "Names", named(added)))
		m.log.Info("The server has new tools", "toolbox", l.toolbox, "server", l.entry.Name, "tools", named(added))
	}
	if len(verdict.Changed) > 0 {
		l.journal.say(words.New("toolbox.tools_taken_up", "Count", len(verdict.Changed), "Names", named(verdict.Changed)))
		m.log.Info("Tools have changed, and the server is trusted", "toolbox", l.toolbox, "server", l.entry.Name, "tools", named(verdict.Changed))
	}
	said, looked := 0, 0
	for _, tool := range tools {
		_, withheld := verdict.Withheld[tool.Name]
		if before != nil && !withheld && !slices.Contains(verdict.New, tool.Name) && !slices.Contains(verdict.Changed, tool.Name) {
			continue
		}
		marks := []pin.Mark{pin.Unsearched()}
		if looked += len(tool.Raw); looked <= pin.Budget {
			marks = pin.Marks(tool, names)
		}
		marked += min(1, len(marks))
		for _, mark := range marks {
			if said++; said > maxNamed {
				break
			}
			l.journal.say(words.New("toolbox.tool_marked", "Name", downstream.Clean(tool.Name, maxName), "Why", mark.Text()))
			m.log.Warn("The words of a tool may be meant to steer the AI", "toolbox", l.toolbox, "server", l.entry.Name,
				"tool", downstream.Clean(tool.Name, maxName), "problem", mark.Text())
		}
	}
	return marked
}

// followPins watches the files of servers that have withheld tools, as long as there are any.
func (m *Manager) followPins() {
	folders := filewatch.New(filewatch.Options{})
	defer folders.Close()
	poll := time.NewTicker(pinPoll)
	defer poll.Stop()
	for {
		links := m.withholding()
		if len(links) == 0 {
			return
		}
		files := make([]string, len(links))
		for i, l := range links {
			files[i] = m.options.Pins.Path(l.key)
		}
		added, _ := folders.Follow(files...)
		for _, l := range links {
			m.rereadPins(l)
		}
		if added {
			continue
		}
		select {
		case <-m.lifetime.Done():
			return
		case <-folders.Touched:
		case <-folders.Stirred:
		case <-poll.C:
		}
	}
}

// keptLink is a link with what it knows of its pins.
type keptLink struct {
	*link
	key    pin.Hash
	record *pin.Record
	unread bool
}

// withholding returns the links that have withheld tools. When there are none, it notes that the records need not be followed.
func (m *Manager) withholding() []keptLink {
	m.mu.Lock()
	defer m.mu.Unlock()
	var links []keptLink
	for _, b := range m.open {
		for _, l := range b.links {
			if len(l.pins.withheld) > 0 {
				links = append(links, keptLink{l, l.pins.key, l.pins.record, l.pins.unread})
			}
		}
	}
	m.following = len(links) > 0 && !m.closed
	if !m.following {
		return nil
	}
	return links
}

// rereadPins takes up what others have written into a server's file.
func (m *Manager) rereadPins(l keptLink) {
	if !l.unread && m.options.Pins.Current(l.key, l.record) {
		return
	}
	record, err := m.options.Pins.Load(l.key)
	if err != nil || record == nil && !l.unread {
		return // it may be written anew
	}
	m.mu.Lock()
	revision := l.tools.revision
	if l.pins.record == l.record {
		l.pins.record, l.pins.unread = record, false
		m.know(l.link, l.tools.known, m.configured(l.link))
	}
	news := revision != l.tools.revision
	if news {
		m.touch()
	}
	m.mu.Unlock()
	if news {
		m.changed(toolsOnly())
	}
}

func toolsOnly() (which [downstream.Kinds]bool) {
	which[downstream.Tools] = true
	return which
}

func definitions(tools []downstream.Item) []pin.Definition {
	list := make([]pin.Definition, len(tools))
	for i, tool := range tools {
		list[i] = pin.Definition{Name: tool.Name, Raw: tool.Definition}
	}
	return list
}

// definitions returns what is pinned of a server: its instructions, if it has any, and these tools. The caller
// holds Manager.mu.
func (l *link) definitions(tools []downstream.Item) []pin.Definition {
	list := definitions(tools)
	if l.pins.instructions != nil {
		list = slices.Insert(list, 0, pin.Definition{Name: pin.Instructions, Raw: l.pins.instructions})
	}
	return list
}

// instructionsOf returns the instructions of a connected server; empty while they are withheld.
func (m *Manager) instructionsOf(l *link) string {
	m.mu.Lock()
	_, withheld := l.pins.withheld[pin.Instructions]
	m.mu.Unlock()
	if withheld {
		return ""
	}
	return instructionsOf(l.session.Info())
}

// withoutChangedWords returns items of a list that is not that of tools. The words of an item are left out if
// they have changed since they were first listed.
func (m *Manager) withoutChangedWords(l *link, kind downstream.Kind, items []downstream.Item) []downstream.Item {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := &l.pins
	if !p.loaded {
		return items
	}
	about := kind.List()
	items = slices.Clone(items)
	added := map[pin.WordsID]pin.Hash{}
	left := 0
	for i, item := range items {
		id, hash := pin.NewWordsID(about.Name, item.Name), pin.SumWords(item.Definition)
		verdict := pin.TooManyWords
		if !p.unread || p.trusted {
			verdict = p.record.JudgeWords(id, hash, p.words)
		}
		switch {
		case verdict == pin.KnownWords:
		case verdict == pin.NewWords, p.trusted:
			added[id] = hash
			m.sayMarks(l, about.Name, item)
		default:
			items[i].Title, items[i].Description = "", ""
			items[i].Definition = pin.WithoutWords(about.Name, item.Definition)
			if !p.told[id] && len(p.told) < maxNamed {
				if p.told == nil {
					p.told = map[pin.WordsID]bool{}
				}
				p.told[id] = true
				left++
			}
		}
	}
	if left > 0 {
		l.journal.say(words.New("toolbox.words_left_out", "List", about.Plural))
		m.log.Warn("The words of some items have changed and are left out", "toolbox", l.toolbox, "server", l.entry.Name, "list", about.Plural)
	}
	if len(added) > 0 {
		if p.words == nil {
			p.words = map[pin.WordsID]pin.Hash{}
		}
		maps.Copy(p.words, added)
		m.keepPins(l)
	}
	return items
}

// sayMarks logs the words in a new item that may be meant to steer a model, within the budget of the link.
func (m *Manager) sayMarks(l *link, kind string, item downstream.Item) {
	if l.pins.looked += len(item.Definition); l.pins.looked > pin.Budget {
		return
	}
	for _, mark := range pin.Marks(pin.Definition{Name: item.Name, Raw: item.Definition}, nil) {
		name := kind + " " + downstream.Clean(item.Name, maxName)
		l.journal.say(words.New("toolbox.tool_marked", "Name", name, "Why", mark.Text()))
		m.log.Warn("The words of a server may be meant to steer the AI", "toolbox", l.toolbox, "server", l.entry.Name, "item", name, "problem", mark.Text())
	}
}

// named returns the names of tools for people, the first of many.
func named(names []string) []string {
	names = slices.Sorted(slices.Values(names))
	shown := make([]string, 0, min(len(names), maxNamed)+1)
	for i, name := range names {
		if i == maxNamed {
			return append(shown, "…")
		}
		shown = append(shown, downstream.Clean(name, maxName))
	}
	return shown
}
