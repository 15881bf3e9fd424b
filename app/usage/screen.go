package usage

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	kept "github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// Program does what the controls of the screen ask for. Its methods are called on the goroutine of the window, and
// must not block.
type Program interface {
	ShowUnused()   // shows the list of servers that were not used for 30 days
	ShowSettings() // shows the settings screen
}

// Screen draws a [View]. Call its methods only on the goroutine of the window.
type Screen struct {
	program Program
	view    View
	drawn   bool

	root  *fyne.Container
	page  *kit.Page
	full  *fyne.Container // the charts; hidden while there is nothing to show
	empty *fyne.Container

	since   *kit.Text
	damaged *kit.Lines
	days    *days

	servers, times, failures, saved, unused *part
}

// part is a card with a title, rows and a sentence below them.
type part struct {
	root *fyne.Container
	rows *fyne.Container
	note *kit.Lines
}

// New returns an empty screen. Apply fills it.
func New(program Program) *Screen {
	s := &Screen{program: program}
	title := kit.NewText(lang.L("Usage"), kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true})
	s.since = kit.NewText("", kit.Small())
	s.damaged = kit.NewParagraph("", kit.TextStyle{})
	s.days = newDays()
	s.servers, s.times = newPart(lang.L("Servers by use")), newPart(lang.L("Time taken"))
	s.failures, s.saved = newPart(lang.L("Failures")), newPart(lang.L("Tokens saved"))
	s.unused = newPart(lang.L("Not used for 30 days"))
	settings := kit.Flush(kit.NewButton(lang.L("Settings"), widget.LowImportance, program.ShowSettings), true, false)
	about := kit.Row(kit.Gap, kit.Rest(
		kit.NewParagraph(lang.L("Only numbers are kept, for 30 days and on this computer: nothing of what was asked or "+
			"answered."),
			kit.Small())), settings)
	s.full = kit.Column(kit.GapBlock, kit.Row(kit.GapWide, kit.Rest(title), s.since), s.damaged, s.days.root,
		kit.NewHalves(s.servers.root, s.times.root),
		kit.NewHalves(s.failures.root, s.saved.root), s.unused.root, about)
	s.page = kit.NewPage(kit.NewCentred(kit.WidthPage, kit.GapBlock, s.full))
	s.empty = container.NewStack()
	s.root = container.NewStack(s.page, s.empty)
	return s
}

// Page returns the page with the charts.
func (s *Screen) Page() *kit.Page { return s.page }

// Object returns what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows view.
func (s *Screen) Apply(view View) {
	if s.drawn && view.same(s.view) {
		return
	}
	s.view, s.drawn = view, true
	nothing := view.Report == nil || view.Report.Count == 0
	kit.SetVisible(s.page, !nothing)
	kit.SetVisible(s.empty, nothing)
	if nothing {
		s.empty.RemoveAll()
		s.empty.Add(s.newEmpty(view))
		return
	}
	s.since.Set(summary(view.Report))
	s.damaged.Set("")
	if kit.SetVisible(s.damaged, view.Report.Damaged); view.Report.Damaged {
		s.damaged.Set(kit.ErrorSentence(kept.ErrDamaged))
	}
	s.days.show(view)
	for _, p := range []*part{s.servers, s.times, s.failures, s.saved, s.unused} {
		p.rows.RemoveAll()
		p.note.Set("")
	}
	fillServers(s.servers, view)
	fillTimes(s.times, view)
	fillFailures(s.failures, view)
	fillSaved(s.saved, view)
	s.fillUnused(s.unused, view)
	s.page.Arrange()
	s.root.Refresh()
}

func newPart(title string) *part {
	p := &part{rows: kit.Column(kit.GapWide), note: kit.NewParagraph("", kit.Small())}
	head := kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})
	p.root = container.NewStack(kit.NewCard(kit.Column(kit.GapWide, head, p.rows, p.note)))
	return p
}

// nameAtLeast is the smallest width of a name, in pixels. If less room is left, the text beside the name goes below
// it.
const nameAtLeast = 150

// add adds a row: a name, the text says beside it, a bar below both, and the text more below the bar, which may be
// empty. share is the length of the bar and marked the length of its marked part, both from 0 to 1.
func (p *part) add(name, says, more string, share, marked float64) {
	head := kit.NewBeside(nameAtLeast, kit.NewText(name, kit.TextStyle{Shrinks: true}), kit.NewText(says, kit.Small()))
	p.rows.Add(kit.Column(kit.GapTight, head, kit.NewMeter(share, marked), kit.NewParagraph(more, kit.Small())))
}

// most is how many rows a part shows at most.
const most = 8

// rest says how many of all rows are not shown.
func (p *part) rest(all int) {
	if all > most {
		p.rows.Add(kit.NewText(lang.L("and {{.Count}} more", map[string]any{"Count": all - most}), kit.Small()))
	}
}
