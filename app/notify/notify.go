// Package notify decides what is worth a notification of the system.
package notify

import (
	"maps"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// The pace of notifications.
const (
	settleTime = 3 * time.Second  // that something must be wrong before it is told: servers come back by themselves
	noticeGap  = 10 * time.Second // between two notifications; what comes meanwhile is told in one
	repeatTime = 10 * time.Minute // before the same server is told of again
)

// Notice is one notification.
type Notice struct {
	Title, Text string
	About       About
	At          model.Choice // the server that it is about, if it is about one
	Asks        bool         // it waits for the person's decision
}

// About is what a notification is about, and so what a click on it shows.
type About int

// What notifications are about.
const (
	Window   About = iota // nothing that has a place of its own
	Approval              // servers that another program has changed
	Server                // one server
	Apps                  // the AI apps
)

// about returns the notice with what a click shows: the server, if it is only one.
func (n *Notice) about(servers []model.Choice) *Notice {
	if len(servers) == 1 {
		n.About, n.At = Server, servers[0]
	}
	return n
}

// Notifier decides what is worth a notification: that a server which an AI app was using has failed, that it is back, and that
// the configuration has become unusable. It does so from one snapshot to the next, without clock and without system.
type Notifier struct {
	used    map[use]bool // servers that were connected in an engine
	failing map[model.Choice]*failure
	broken  *failure
	told    map[model.Choice]time.Time // when a failure was told last
	last    time.Time                  // when anything was told
	back    []model.Choice             // that waits to be told
	changed map[model.Choice]int       // servers whose tools wait for the user's approval, and of how many of those it was told

	elsewhere map[model.Choice]*config.Server // servers that wait for approval and were told of, as they are
	fresh     time.Time                       // since when there are others; zero when there are none
}

type use struct {
	engine string
	at     model.Choice
}

type failure struct {
	since time.Time // later than it began when the one before was told only just now
	told  bool
}

// New returns a notifier that has seen nothing yet.
func New() *Notifier {
	return &Notifier{used: map[use]bool{}, failing: map[model.Choice]*failure{}, told: map[model.Choice]time.Time{}, changed: map[model.Choice]int{},
		elsewhere: map[model.Choice]*config.Server{}}
}

// Next takes up a snapshot. It gives a notification or nothing, and the time at which it wants to be asked again, or none.
func (n *Notifier) Next(now *model.Snapshot) (*Notice, time.Time) {
	wrong, heard := n.look(now)
	n.forgetChanged(now)
	for at, failure := range n.failing {
		if wrong[at] {
			continue
		}
		if failure.told && now.Server(at).State == status.Connected {
			n.back = append(n.back, at)
		}
		if now.Server(at).State == status.Connected || !n.inUse(at) {
			delete(n.failing, at)
		}
	}
	switch {
	case !now.Broken():
		n.broken = nil
	case n.broken == nil && now.Good != nil:
		n.broken = &failure{since: now.Time}
	}
	return n.tell(now, heard)
}

// changedTools returns the servers more of whose tools wait for the user's approval than was told, in the order of the file.
func (n *Notifier) changedTools(now *model.Snapshot) []model.Choice {
	var due []model.Choice
	for server := range now.Live.Servers() {
		at := model.Choice{Toolbox: server.Toolbox, Server: server.Name}
		if server.Waiting > n.changed[at] {
			due = append(due, at)
		}
	}
	return due
}

// forgetChanged forgets servers that are connected and have no tools that wait any more.
func (n *Notifier) forgetChanged(now *model.Snapshot) {
	for at := range n.changed {
		if server := now.Server(at); server.State == status.Connected && server.Waiting == 0 {
			delete(n.changed, at)
		}
	}
}

// look remembers which servers are in use, and tells which of those need the user, and of which it is heard how they are. What an engine
// had when it was heard last is still in use there, but how that is doing nobody knows.
func (n *Notifier) look(now *model.Snapshot) (wrong, heard map[model.Choice]bool) {
	wrong, heard = map[model.Choice]bool{}, map[model.Choice]bool{}
	there := map[use]bool{}
	for _, engine := range now.Live.Engines {
		if engine.Own || engine.Elsewhere {
			continue
		}
		if engine.Trouble != model.NoTrouble {
			for key := range n.used {
				if key.engine == engine.ID {
					there[key] = true
				}
			}
			continue
		}
		for _, server := range engine.Servers {
			at := model.Choice{Toolbox: server.Toolbox, Server: server.Name}
			key := use{engine.ID, at}
			switch server.State {
			case status.Connected, status.Starting:
				if server.State == status.Connected || n.used[key] {
					there[key], heard[at] = true, true
				}
			case status.Failed, status.Stopped, status.SignIn:
				if !n.used[key] {
					continue // it has never worked, and whoever opened it was told that
				}
				there[key], heard[at], wrong[at] = true, true, true
				if n.failing[at] == nil {
					n.failing[at] = &failure{since: n.since(at, now.Time)}
				}
			}
		}
	}
	n.used = there
	return wrong, heard
}

// since gives when a failure of now begins for us: so late that a server that was told of only just now is not told of too soon.
func (n *Notifier) since(at model.Choice, now time.Time) time.Time {
	if least := n.told[at].Add(repeatTime - settleTime); now.Before(least) {
		return least
	}
	return now
}

func (n *Notifier) inUse(at model.Choice) bool {
	for key := range n.used {
		if key.at == at {
			return true
		}
	}
	return false
}

// tell makes one notification of what is due. A failure of which nothing is heard has to wait until something is.
func (n *Notifier) tell(now *model.Snapshot, heard map[model.Choice]bool) (*Notice, time.Time) {
	var due []model.Choice
	var later time.Time
	wait := func(until time.Time) {
		if later.IsZero() || until.Before(later) {
			later = until
		}
	}
	ready := func(f *failure) bool {
		if f == nil || f.told {
			return false
		}
		if at := f.since.Add(settleTime); now.Time.Before(at) {
			wait(at)
			return false
		}
		return true
	}
	for server := range now.Live.Servers() { // in the order of the file
		at := model.Choice{Toolbox: server.Toolbox, Server: server.Name}
		if heard[at] && ready(n.failing[at]) {
			due = append(due, at)
		}
	}
	brokenDue, changedDue := ready(n.broken), n.changedTools(now)
	waiting := n.waiting(now)
	if len(waiting) > 0 && now.Time.Before(n.fresh.Add(settleTime)) { // a program may write several
		wait(n.fresh.Add(settleTime))
		waiting = nil
	}
	if len(due) == 0 && len(n.back) == 0 && !brokenDue && len(changedDue) == 0 && len(waiting) == 0 {
		return nil, later
	}
	if at := n.last.Add(noticeGap); now.Time.Before(at) {
		wait(at)
		return nil, later
	}
	n.last = now.Time
	if len(waiting) > 0 { // the person decides what runs, which comes before all that has happened
		n.fresh = time.Time{}
		for _, w := range now.Approval.Waiting {
			n.elsewhere[model.Choice{Toolbox: w.Toolbox, Server: w.Server.Name}] = w.Server
		}
		if len(due) > 0 || len(n.back) > 0 || brokenDue || len(changedDue) > 0 {
			wait(now.Time.Add(noticeGap))
		}
		return changedElsewhere(now.Approval.Waiting, waiting), later
	}
	// One at a time, the most urgent first; what is left comes after the gap.
	switch {
	case len(due) > 0:
		for _, at := range due {
			n.failing[at].told = true
			n.told[at] = now.Time
		}
		if len(n.back) > 0 || brokenDue || len(changedDue) > 0 {
			wait(now.Time.Add(noticeGap))
		}
		return failed(now, due), later
	case brokenDue:
		n.broken.told = true
		if len(n.back) > 0 || len(changedDue) > 0 {
			wait(now.Time.Add(noticeGap))
		}
		return &Notice{Title: lang.L("The configuration file has an error"), Text: lang.L("Its last working version stays in use. Open Workbench to repair it.")}, later
	}
	if len(changedDue) > 0 {
		for _, at := range changedDue {
			n.changed[at] = now.Server(at).Waiting
		}
		if len(n.back) > 0 {
			wait(now.Time.Add(noticeGap))
		}
		return toolsChanged(now, changedDue), later
	}
	back := n.back
	n.back = nil
	return worksAgain(back), later
}

// waiting returns the servers that wait for approval and were not told of.
func (n *Notifier) waiting(now *model.Snapshot) []model.Choice {
	var fresh []model.Choice
	there := map[model.Choice]bool{}
	for _, w := range now.Approval.Waiting {
		at := model.Choice{Toolbox: w.Toolbox, Server: w.Server.Name}
		there[at] = true
		if told := n.elsewhere[at]; told == nil || !told.SameGuarded(w.Server) {
			fresh = append(fresh, at)
		}
	}
	maps.DeleteFunc(n.elsewhere, func(at model.Choice, _ *config.Server) bool { return !there[at] })
	switch {
	case len(fresh) == 0:
		n.fresh = time.Time{}
	case n.fresh.IsZero():
		n.fresh = now.Time
	}
	return fresh
}

// changedElsewhere tells of those that wait and were not told of.
func changedElsewhere(waiting []approval.Waiting, fresh []model.Choice) *Notice {
	waiting = slices.DeleteFunc(slices.Clone(waiting), func(w approval.Waiting) bool {
		return !slices.Contains(fresh, model.Choice{Toolbox: w.Toolbox, Server: w.Server.Name})
	})
	notice := &Notice{Title: live.WaitingTitle(waiting), About: Approval, Asks: true}
	if len(fresh) == 1 {
		notice.Text = live.ShortName(fresh[0].Toolbox) + " › " + live.ShortName(fresh[0].Server) + ": " + lang.L("It is not started until you approve it. Open Workbench to look at it.")
		return notice
	}
	notice.Text = names(fresh) + ": " + lang.L("They are not started until you approve them. Open Workbench to look at them.")
	return notice
}

func failed(now *model.Snapshot, servers []model.Choice) *Notice {
	notice := &Notice{Title: lang.N("{{.Count}} servers stopped working", len(servers), map[string]any{"Count": len(servers)}), Text: names(servers)}
	if len(servers) == 1 {
		words := live.Words(now.Server(servers[0]), now.Time)
		notice.Title = lang.L("“{{.Name}}” stopped working", map[string]any{"Name": servers[0].Server})
		notice.Text = strings.TrimSpace(servers[0].Toolbox + " › " + servers[0].Server + ": " + words.Detail)
	}
	return notice.about(servers)
}

func toolsChanged(now *model.Snapshot, servers []model.Choice) *Notice {
	text := lang.L("AI apps do not get them until you approve them in Workbench.")
	notice := &Notice{About: Server, At: servers[0], Asks: true}
	if len(servers) == 1 {
		count := now.Server(servers[0]).Waiting
		notice.Title = lang.N("“{{.Name}}”: {{.Count}} tools have changed", count, map[string]any{"Name": live.ShortName(servers[0].Server), "Count": count})
		notice.Text = text
		return notice
	}
	notice.Title = lang.N("Tools of {{.Count}} servers have changed", len(servers), map[string]any{"Count": len(servers)})
	notice.Text = names(servers) + ": " + text
	return notice
}

func worksAgain(servers []model.Choice) *Notice {
	notice := &Notice{Title: lang.N("{{.Count}} servers work again", len(servers), map[string]any{"Count": len(servers)}), Text: names(servers)}
	if len(servers) == 1 {
		notice.Title = lang.L("“{{.Name}}” works again", map[string]any{"Name": servers[0].Server})
		notice.Text = servers[0].Toolbox + " › " + servers[0].Server
	}
	return notice
}

// names lists the first few servers.
func names(servers []model.Choice) string {
	const most = 5
	var list []string
	for _, at := range servers[:min(len(servers), most)] {
		list = append(list, live.ShortName(at.Server))
	}
	text := kit.SayList(list)
	if len(servers) > most {
		text += "…"
	}
	return text
}
