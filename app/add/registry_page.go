package add

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/registry"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
)

// Registry is a registry of servers that the dialog can search.
type Registry interface {
	Host() string     // the host that searches are sent to
	IsOfficial() bool // the registry verifies who owns a namespace

	// Search searches for servers off the goroutine of the window. It calls done on that goroutine, unless the context
	// is cancelled.
	Search(ctx context.Context, query, next string, done func(registry.Page, error))
}

// typingPause is how long the user must pause typing before the registry is asked.
const typingPause = 400 * time.Millisecond

// maxResults is the most servers of a registry that are listed.
const maxResults = 300

// registryList searches a registry while the user types. Only the newest search shows its result.
type registryList struct {
	dialog *Dialog
	from   Registry
	root   fyne.CanvasObject
	rows   *kit.List
	state  *fyne.Container // the message shown instead of rows

	query  string
	shown  []registry.Server
	next   string        // the position of the next page; "" if there is none
	age    time.Duration // the age of a result that comes from the cache because the registry did not answer; otherwise 0
	busy   bool          // a search waits for the pause or for its result
	failed error         // why the newest search failed, or nil
	stop   func()        // cancels the pause and the search; never nil
}

func newRegistryList(d *Dialog, from Registry) *registryList {
	l := &registryList{dialog: d, from: from, state: container.NewStack(), stop: func() {}}
	l.rows = kit.NewList(
		func() int {
			if l.next != "" {
				return len(l.shown) + 1
			}
			return len(l.shown)
		},
		func() fyne.CanvasObject { return newServerRow() },
		func(i int, object fyne.CanvasObject) {
			row := object.(*serverRow)
			switch {
			case i < len(l.shown):
				l.fill(row, &l.shown[i])
			case l.busy:
				row.say(lang.L("Searching…"), "", "", "")
			default:
				row.say(lang.L("Show more"), "", "", "")
			}
		})
	l.rows.OnChosen = func(i int) {
		l.rows.UnselectAll()
		if i < len(l.shown) {
			l.take(&l.shown[i])
		} else if !l.busy {
			l.ask(l.next)
		}
	}
	l.root = kit.Column(kit.GapTight, kit.Sign(theme.StateNotice, kit.NewParagraph(sentTo(from.Host()), kit.Small())),
		kit.Rest(container.NewStack(l.rows, l.state)))
	l.draw()
	return l
}

// search starts a search after a pause in typing. It cancels the previous search.
func (l *registryList) search(query string) {
	query = strings.TrimSpace(query)
	if query == l.query && (l.busy || l.failed == nil) {
		return
	}
	l.stop()
	l.query, l.shown, l.next, l.failed, l.age = query, nil, "", nil, 0
	if l.busy = query != ""; l.busy {
		l.stop = l.dialog.program.Later(typingPause, func() { l.ask("") })
	}
	l.draw()
}

// ask sends the search. next is the position of the next page, or "" for the first one.
func (l *registryList) ask(next string) {
	ctx, cancel := context.WithCancel(context.Background())
	l.stop = cancel
	l.busy, l.failed = true, nil
	l.draw()
	l.from.Search(ctx, l.query, next, func(page registry.Page, err error) {
		if ctx.Err() != nil || l.dialog.closed || errors.Is(err, context.Canceled) {
			return // a newer search has begun
		}
		cancel()
		l.busy, l.failed = false, err
		if err == nil {
			l.shown, l.next, l.age = append(l.shown, page.Servers...), page.Next, page.Age
			if len(l.shown) >= maxResults {
				l.shown, l.next = l.shown[:maxResults], ""
			}
		}
		l.draw()
		l.dialog.chooser.update()
	})
}

// draw shows the rows, or says why there are none.
func (l *registryList) draw() {
	var said fyne.CanvasObject
	switch {
	case l.failed != nil:
		again := kit.NewButton(lang.L("Try again"), widget.MediumImportance, func() { l.ask(l.next) })
		said = kit.NewMiddle(kit.WidthNote,
			kit.Column(kit.Gap, kit.Sign(theme.StateWrong, kit.NewParagraph(kit.ErrorSentence(l.failed), kit.TextStyle{})),
				container.NewCenter(again)))
	case len(l.shown) > 0:
	case l.busy:
		said = centred(lang.L("Searching…"))
	case l.query == "":
		said = centred(lang.L("Search"))
	default:
		said = centred(lang.L("Nothing matches"))
	}
	l.state.Objects = nil
	if said != nil {
		l.state.Objects = []fyne.CanvasObject{said}
	}
	l.state.Refresh()
	kit.SetVisible(l.rows, said == nil)
	l.rows.Refresh()
}

func centred(text string) fyne.CanvasObject {
	return kit.NewMiddle(kit.WidthNote,
		kit.NewText(text, kit.TextStyle{Size: theme.SizeHeading, Color: theme.ColorMuted, Align: fyne.TextAlignCenter}))
}

// hint returns what the bottom of the dialog says about the result.
func (l *registryList) hint() string {
	switch {
	case len(l.shown) == 0:
		return ""
	case l.age > 0:
		return lang.L("{{.Host}} does not answer: this is from earlier", map[string]any{"Host": l.from.Host()})
	}
	return choose(len(l.shown))
}

// fill shows a server in a row.
func (l *registryList) fill(row *serverRow, s *registry.Server) {
	needs := ""
	switch way := bestWay(s); {
	case way == nil:
		needs = lang.L("Can't be added here")
	case way.Kind == registry.KindRemote:
		needs = lang.L("On the web")
	default:
		needs = needsOf(way.Entry.Server.Command)
	}
	title := s.Title
	if s.Deprecated {
		title = lang.L("{{.Name}} (no longer recommended)", map[string]any{"Name": s.Title})
	}
	row.say(title, kit.Say(s.Publisher.Text()), s.Description, needs)
}

// sentTo says what a registry gets, and what it is worth.
func sentTo(host string) string {
	return lang.L("What you type here is sent to {{.Host}}. Anybody can publish there, and nobody has checked these "+
		"servers.", map[string]any{"Host": host})
}

// needsOf returns a text about the runtime that a command needs.
func needsOf(command string) string {
	return lang.L("Needs {{.Name}}", map[string]any{"Name": cmp.Or(config.ProductOf(command).Name, command)})
}

// bestWay returns the first usable way to run a server, which is used unless the user chooses another one. It returns
// nil if the server cannot be added.
func bestWay(s *registry.Server) *registry.Way {
	if ways := usableWays(s); len(ways) > 0 {
		return ways[0]
	}
	return nil
}

// take goes on to the review of a server. If it cannot be added, take shows why, with a link to its page.
func (l *registryList) take(s *registry.Server) {
	if way := bestWay(s); way != nil {
		l.dialog.take([]*candidate{fromRegistry(s, way, l.from.IsOfficial())}, nil)
		return
	}
	why := lang.L("The public list does not say how to start this server.")
	if len(s.Ways) > 0 {
		why = kit.Sentence(kit.Say(s.Ways[0].Problem))
	}
	lines := kit.Column(kit.GapWide,
		kit.NewText(s.Title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Align: fyne.TextAlignCenter, Shrinks: true}),
		kit.Sign(theme.StateNotice, kit.NewParagraph(why, kit.TextStyle{})))
	back := kit.NewButton(lang.L("Back"), widget.MediumImportance, l.draw)
	buttons := []fyne.CanvasObject{back}
	if s.Page != "" {
		buttons = append(buttons, kit.NewButton(lang.L("Its page"), widget.MediumImportance, func() {
			l.dialog.program.OpenURL(s.Page)
		}))
	}
	lines.Add(container.NewCenter(kit.Row(kit.Gap, buttons...)))
	l.state.Objects = []fyne.CanvasObject{kit.NewMiddle(kit.WidthNote, lines)}
	l.state.Refresh()
	kit.SetVisible(l.rows, false)
	l.dialog.focus(back)
}

// published is what a registry says about a candidate.
type published struct {
	server   *registry.Server
	way      *registry.Way
	official bool
}

// fromRegistry returns a candidate for one way to run a server of a registry.
func fromRegistry(s *registry.Server, way *registry.Way, official bool) *candidate {
	entry := way.Entry
	c := fromEntry(&entry)
	c.published = &published{s, way, official}
	return c
}

// aboutPublished shows what a registry says about a server, and that nobody has checked the server.
func (w *card) aboutPublished(p *published) fyne.CanvasObject {
	d, s := w.page.dialog, p.server
	who := lang.L("Published by {{.Publisher}}, as the public list says. Nobody has checked what it does.",
		map[string]any{"Publisher": s.Publisher.Name()})
	text := kit.Column(kit.GapTight, kit.NewParagraph(s.Description, kit.TextStyle{}),
		kit.Sign(theme.StateNotice, kit.NewParagraph(who, kit.Small())))
	if s.Deprecated {
		text.Add(kit.Sign(theme.StateWrong,
			kit.NewParagraph(lang.L("Its publisher advises against it. {{.Advice}}", map[string]any{"Advice": s.Advice}),
				kit.Small())))
	}
	if ways := usableWays(s); len(ways) > 1 {
		names := make([]string, len(ways))
		for i, way := range ways {
			names[i] = kit.Cut(review.Of(&way.Entry.Server).Line(), 70)
		}
		choice := kit.NewSelect(names, nil)
		choice.SetSelectedIndex(slices.Index(ways, p.way))
		choice.OnChanged = func(string) {
			if i := choice.SelectedIndex(); i >= 0 && ways[i] != p.way {
				d.take([]*candidate{fromRegistry(s, ways[i], p.official)}, nil)
			}
		}
		text.Add(labelled(lang.L("How it runs"), "", choice))
	}
	if s.Page == "" {
		return text
	}
	return kit.Row(kit.GapWide, kit.Rest(text), kit.NewButton(lang.L("Its page"), widget.LowImportance, func() {
		d.program.OpenURL(s.Page)
	}))
}

func usableWays(s *registry.Server) []*registry.Way {
	var ways []*registry.Way
	for i := range s.Ways {
		if s.Ways[i].Usable() {
			ways = append(ways, &s.Ways[i])
		}
	}
	return ways
}
