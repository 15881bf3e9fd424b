package file

import (
	"context"
	"errors"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// historyTab lists the versions of the file and shows what one of them changed, or what restoring it would change now.
type historyTab struct {
	program Program
	open    bool // the tab is visible

	now     *config.Document // the file in the newest view
	loaded  *config.Document // the version of the file for which the list was read; nil if the list must be read
	reading bool

	versions []store.Version
	failed   string // why there is no history, or why a version was not restored
	chosen   chosenVersion
	loads    int // the number of the newest request for a version
	busy     bool

	root   *fyne.Container
	list   *versionList
	split  *kit.Split
	empty  *fyne.Container
	title  *kit.Text
	note   *kit.Text
	mode   *kit.Choice
	banner *kit.Notes
	diff   *code.Entry
	button *kit.Button
}

// chosenVersion describes the selected version.
type chosenVersion struct {
	id            string
	changes, back code.Difference // its changes, and the changes that restoring it would make
	plan          store.Restored
	err           error // why the version cannot be read
	planErr       error // why the version cannot be restored
}

// What the tab shows of the chosen version.
const (
	modeChanges = iota
	modeBack
)

func newHistoryTab(program Program) *historyTab {
	h := &historyTab{program: program, banner: kit.NewBanner(), diff: code.NewDifference(code.Difference{}),
		empty: container.NewStack()}
	h.list = newVersionList(h.choose)
	h.title = kit.NewText("", kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})
	h.note = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	h.mode = kit.NewChoice(lang.L("What it changed"), lang.L("Compared with now"))
	h.mode.OnChosen = func(int) { h.draw() }
	h.button = kit.NewButton(lang.L("Restore"), widget.HighImportance, h.restore)
	pane := kit.Column(kit.GapWide, kit.Column(kit.GapHair, h.title, h.note),
		kit.Row(0, kit.NewFullChoice(h.mode), kit.Rest(kit.NewGap(0, 0)), h.button),
		h.banner.Root, kit.Rest(h.diff))
	h.split = kit.NewSplit(kit.Sized(listWidth, 0, h.list.List), kit.InsetSides(pane, 0, 0, kit.GapBlock, 0), 290)
	h.root = container.NewStack(h.split, h.empty)
	return h
}

// apply updates the tab for the newest file.
func (h *historyTab) apply(view View) {
	h.now = view.Now
	if h.open && h.now == nil {
		h.versions, h.loaded, h.failed = nil, nil, lang.L("The file cannot be read")
		h.draw()
	}
	if now := h.program.Now(); h.open && now.Sub(h.list.now) >= time.Minute {
		h.list.now = now
		h.list.Refresh()
	}
	h.refresh()
}

// show shows or hides the tab. The list is read when the tab becomes visible.
func (h *historyTab) show(open bool) {
	h.open = open
	if open {
		h.loaded = nil
		h.refresh()
	}
}

// refresh reads the list again if the tab is visible and the list may have changed.
func (h *historyTab) refresh() {
	if !h.open || h.reading || h.now == nil || h.loaded == h.now {
		return
	}
	h.reading = true
	reads := h.now
	var versions []store.Version
	h.program.With(func(_ context.Context, s *store.Store) error {
		var err error
		versions, err = s.History()
		return err
	}, func(err error) {
		h.reading, h.loaded, h.failed = false, reads, ""
		if err != nil {
			h.failed = kit.SayError(err)
		}
		h.versions = versions
		if h.chosen.id == "" && len(versions) > 0 || h.version(h.list.chosen).ID == "" {
			h.list.chosen, h.chosen = "", chosenVersion{}
			if len(versions) > 0 {
				h.list.chosen = versions[0].ID
			}
		}
		h.list.show(versions, h.program.Now())
		h.load(h.list.chosen)
		h.draw()
		h.refresh() // the file may have changed meanwhile
	})
}

// version returns the version with an ID, or an empty one if there is none.
func (h *historyTab) version(id string) store.Version {
	if i := slices.IndexFunc(h.versions, func(v store.Version) bool { return v.ID == id }); i >= 0 {
		return h.versions[i]
	}
	return store.Version{}
}

// choose shows another version.
func (h *historyTab) choose(id string) {
	h.load(id)
	h.draw()
}

// load reads a version. Only the result for the version that was requested last is shown.
func (h *historyTab) load(id string) {
	if id == "" {
		return
	}
	h.loads++
	number := h.loads
	found := chosenVersion{id: id}
	h.program.With(func(_ context.Context, s *store.Store) error {
		changes, err := s.Changes(id)
		if err != nil {
			found.err = err
			return nil
		}
		back, err := s.Diff(id)
		if err != nil {
			found.err = err
			return nil
		}
		found.changes, found.back = code.ReadDifference(changes), code.ReadDifference(back)
		found.plan, found.planErr = s.PlanRestore(id)
		return nil
	}, func(err error) {
		if number != h.loads {
			return
		}
		if err != nil {
			found.err = err
		}
		h.chosen = found
		h.draw()
	})
}

// draw shows the current state.
func (h *historyTab) draw() {
	none := len(h.versions) == 0
	kit.SetVisible(h.split, !none)
	kit.SetVisible(h.empty, none)
	if none {
		h.drawEmpty()
		return
	}
	version := h.version(h.list.chosen)
	h.title.Set(versionTitle(version))
	known := h.chosen.id == version.ID
	diff := code.Difference{}
	if known && h.chosen.err == nil {
		diff = h.chosen.changes
		if h.mode.Chosen() == modeBack {
			diff = h.chosen.back
		}
	}
	note := kit.Facts(kit.Moment(version.Time.Local()), authorOf(version))
	if known && h.chosen.err == nil {
		note = kit.Facts(summary(diff), note)
	}
	h.note.Set(note)
	h.banner.Set(h.notice(known))
	kit.SetVisible(h.diff, !diff.Empty())
	h.diff.SetDifference(diff)
	kit.SetEnabled(h.button, known && !h.busy && h.chosen.err == nil && h.chosen.planErr == nil &&
		h.chosen.plan.Changed())
	h.root.Refresh()
}

// drawEmpty says why the list is empty.
func (h *historyTab) drawEmpty() {
	h.empty.RemoveAll()
	title := lang.L("No versions yet")
	text := lang.L("Saved versions of the file are kept here, the newest {{.Count}}, and any of them can be brought back.",
		map[string]any{"Count": store.DefaultMaxVersions})
	switch {
	case h.failed != "":
		title, text = lang.L("There is no history"), kit.Sentence(h.failed)
	case h.loaded == nil:
		title, text = lang.L("Reading…"), ""
	}
	h.empty.Add(kit.NewEmpty(kit.WidthNote, nil, title, text))
}

// notice returns what the user should know before restoring the version.
func (h *historyTab) notice(known bool) []kit.Note {
	switch {
	case !known:
		return nil
	case h.chosen.err != nil:
		return []kit.Note{{State: theme.StateWrong, Text: kit.ErrorSentence(h.chosen.err)}}
	case errors.Is(h.chosen.planErr, store.ErrBrokenVersion):
		return []kit.Note{{State: theme.StateNotice,
			Text: lang.L("This version has errors and cannot be read, so it cannot be restored.")}}
	case h.chosen.planErr != nil:
		return []kit.Note{{State: theme.StateWrong, Text: kit.ErrorSentence(h.chosen.planErr)}}
	case !h.chosen.plan.Changed():
		return []kit.Note{{State: theme.StateConnected, Text: lang.L("This is what the file has now.")}}
	case h.failed != "":
		return []kit.Note{{State: theme.StateWrong,
			Text: lang.L("That could not be done: {{.Reason}}", map[string]any{"Reason": kit.Sentence(h.failed)})}}
	}
	var hints []string
	if missing := h.chosen.plan.Missing; len(missing) > 0 {
		hints = append(hints, lang.N("{{.Count}} secrets have to be typed in again, since they are not kept in the "+
			"history: {{.Names}}.", len(missing),
			map[string]any{"Count": len(missing), "Names": placeNames(missing)}))
	}
	if kept := h.chosen.plan.Kept; len(kept) > 0 {
		hints = append(hints, lang.N("{{.Count}} secrets keep the value that they have now: {{.Names}}.", len(kept),
			map[string]any{"Count": len(kept), "Names": placeNames(kept)}))
	}
	if len(hints) == 0 {
		return nil
	}
	return []kit.Note{{State: theme.StateKey, Text: hints[0], Hint: kit.Together(hints[1:]...)}}
}

// maxPlaces is the most places that a sentence names.
const maxPlaces = 5

func placeNames(secrets []store.Secret) string {
	var names []string
	for i, secret := range secrets {
		if i == maxPlaces {
			names = append(names, "…")
			break
		}
		names = append(names, placeName(secret.Path))
	}
	return kit.SayList(names)
}

// restore restores the chosen version. Before that, the notice below the button says which secrets are missing.
// Restoring can be undone.
func (h *historyTab) restore() {
	id := h.chosen.id
	h.busy, h.failed = true, ""
	h.draw()
	var restored store.Restored
	h.program.With(func(ctx context.Context, s *store.Store) error {
		var err error
		restored, err = s.Restore(ctx, id)
		return err
	}, func(err error) {
		h.busy = false
		var failed *store.SaveError
		var conflict *store.Conflict
		switch {
		case err == nil:
			h.offerUndo(restored, id)
		case errors.As(err, &conflict):
			h.failed = lang.L("The file has changed meanwhile. Try again.")
		case errors.As(err, &failed): // the window reports it
		default:
			h.failed = kit.SayError(err)
		}
		h.load(h.list.chosen)
		h.draw()
	})
}

func (h *historyTab) offerUndo(restored store.Restored, id string) {
	if restored.Changed() {
		h.program.Undoable(lang.L("Restored the version of {{.When}}",
			map[string]any{"When": live.Clock(h.version(id).Time, h.program.Now())}))
	}
}

// listWidth is the least width of the list of versions, in pixels.
const listWidth = 220
