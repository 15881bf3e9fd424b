// Package notify decides when to show a notification of the system.
package notify

import (
	"context"
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
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/changes"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// The timing of notifications.
const (
	// how long a problem must last before it is shown, since servers often recover by themselves
	settleTime = 3 * time.Second
	noticeGap  = 10 * time.Second // the least time between two notifications
	repeatTime = 10 * time.Minute // the least time between two notifications that the same server failed
)

// Notice is the content of a notification.
type Notice struct {
	Title, Text string
	About       About
	At          model.Choice // the server, if About is Server
	Asks        bool         // the user has to decide something

	Waiting []approval.Waiting // the entries that the notification asks about, if About is Approval
	// lines that show the whole change of the entry; nil if the user has to see more before approving
	Whole []string
	// ends when nothing that the notification says is so any more, or still waits in the same form; nil means never
	Context context.Context
}

// Answer is what the user has chosen in a notification.
type Answer int

// The answers.
const (
	Look    Answer = iota // show the subject of the notification
	Approve               // approve Waiting as it is in the notification
)

// About is the subject of a notification. A click on the notification shows it.
type About int

// The subjects of notifications.
const (
	Window   About = iota // no particular subject: a click shows the window
	Approval              // servers that another program has changed and that wait for approval
	Server                // one server
	Apps                  // the AI apps
)

// about makes a click on n show the server, if servers has only one.
func (n *Notice) about(servers []model.Choice) *Notice {
	if len(servers) == 1 {
		n.About, n.At = Server, servers[0]
	}
	return n
}

// Notifier decides when a notification is needed: when a server that an AI app was using has failed, when it works
// again, when the configuration has become unusable, and when servers or tools wait for approval. It only compares
// snapshots. It reads no clock and makes no calls to the system.
type Notifier struct {
	used    map[use]bool               // servers that an engine has connected
	failing map[model.Choice]*failure  // servers in use that need the user
	broken  *failure                   // the configuration is unusable; nil if it is not, or never was usable
	told    map[model.Choice]time.Time // when a notification last said that the server failed
	last    time.Time                  // when the last notification was returned
	back    []model.Choice             // servers that work again, not yet in a notification
	// how many tools of a server waited for approval at the last notification about them
	changed map[model.Choice]int

	// servers that wait for approval and were in a notification, with their configuration at that time
	elsewhere map[model.Choice]*config.Server
	asks      []asks // notifications that may still be shown
	// since when servers wait for approval that are in no notification yet; zero if there are none
	fresh time.Time
}

// asks is a notification that is taken back when it is not true any more.
type asks struct {
	stands func(now *model.Snapshot) bool // reports whether the notification is still true
	end    context.CancelFunc             // ends the Context of the notification
}

type use struct {
	engine ipc.EngineID
	at     model.Choice
}

type failure struct {
	since time.Time // from when the failure counts, see Notifier.since
	told  bool      // a notification has shown it
}

// New returns a Notifier that has seen no snapshot yet.
func New() *Notifier {
	return &Notifier{used: map[use]bool{}, failing: map[model.Choice]*failure{}, told: map[model.Choice]time.Time{},
		changed:   map[model.Choice]int{},
		elsewhere: map[model.Choice]*config.Server{}}
}

// Next handles a new snapshot. It returns a notification or nil. It also returns the time at which the caller must
// call Next again if there is no new snapshot before; zero means never.
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
	n.endAsks(now)
	return n.tell(now, heard)
}

// changedTools returns the servers that have more tools waiting for approval than at their last notification, in the
// order of the file.
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

// forgetChanged forgets the connected servers that have no tools waiting any more, and those that are not in the file
// any more.
func (n *Notifier) forgetChanged(now *model.Snapshot) {
	for at := range n.changed {
		if server := now.Server(at); server.State == status.Connected && server.Waiting == 0 || now.Entry(at) == nil {
			delete(n.changed, at)
		}
	}
}

// look updates n.used and n.failing. It returns two sets of servers in use: in wrong are those that need the user, and
// in heard those whose engine reports their state. If an engine does not report, its servers stay in use, but their
// state is not known.
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
					continue // the server never worked here, and the AI app that started it was told so
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

// since returns the time from which a failure that is new now counts. This time is later than now if a notification
// recently said that the server failed, so that the next notification does not come too soon.
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

// tell returns a notification about what is most urgent, and the time for the next call, as Next does. There is no
// notification about a failure while no engine reports the state of the server.
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
	// wait, because a program may change several servers
	if len(waiting) > 0 && now.Time.Before(n.fresh.Add(settleTime)) {
		wait(n.fresh.Add(settleTime))
		waiting = nil
	}
	kinds := 0 // the number of notifications that are due
	for _, isDue := range []bool{len(waiting) > 0, len(due) > 0, brokenDue, len(changedDue) > 0, len(n.back) > 0} {
		if isDue {
			kinds++
		}
	}
	if kinds == 0 {
		return nil, later
	}
	if at := n.last.Add(noticeGap); now.Time.Before(at) {
		wait(at)
		return nil, later
	}
	n.last = now.Time
	if kinds > 1 {
		wait(now.Time.Add(noticeGap))
	}
	// One notification at a time, the most urgent first. The rest follows after noticeGap.
	switch {
	case len(waiting) > 0: // the user has to decide
		n.fresh = time.Time{}
		for _, w := range now.Approval.Waiting {
			n.elsewhere[model.Choice{Toolbox: w.Toolbox, Server: w.Server.Name}] = w.Server
		}
		notice := changedElsewhere(now.Approval.Waiting, waiting)
		n.ask(notice, func(now *model.Snapshot) bool { return slices.ContainsFunc(notice.Waiting, waitsIn(now)) })
		return notice, later
	case len(due) > 0:
		for _, at := range due {
			n.failing[at].told = true
			n.told[at] = now.Time
		}
		notice := failed(now, due)
		n.ask(notice, func(*model.Snapshot) bool {
			return slices.ContainsFunc(due, func(at model.Choice) bool { return n.failing[at] != nil })
		})
		return notice, later
	case brokenDue:
		n.broken.told = true
		notice := &Notice{Title: lang.L("The configuration file has an error"),
			Text: lang.L("The last working version stays in use. Your file won't change unless you edit it.")}
		n.ask(notice, (*model.Snapshot).Broken)
		return notice, later
	case len(changedDue) > 0:
		for _, at := range changedDue {
			n.changed[at] = now.Server(at).Waiting
		}
		told := maps.Clone(n.changed)
		notice := toolsChanged(now, changedDue)
		n.ask(notice, func(now *model.Snapshot) bool {
			return slices.ContainsFunc(changedDue, func(at model.Choice) bool {
				return n.changed[at] > 0 && now.Server(at).Waiting <= told[at]
			})
		})
		return notice, later
	}
	back := n.back
	n.back = nil
	return worksAgain(back), later
}

// waiting returns the servers that wait for approval and that no notification has shown as they are now.
func (n *Notifier) waiting(now *model.Snapshot) []model.Choice {
	var fresh []model.Choice
	there := map[model.Choice]bool{}
	for _, w := range now.Approval.Waiting {
		at := model.Choice{Toolbox: w.Toolbox, Server: w.Server.Name}
		there[at] = true
		if told := n.elsewhere[at]; told == nil || !told.SameApproval(w.Server) {
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

// ask gives a notification its Context, which ends after the first snapshot for which stands returns false.
func (n *Notifier) ask(notice *Notice, stands func(now *model.Snapshot) bool) {
	var end context.CancelFunc
	notice.Context, end = context.WithCancel(context.Background())
	n.asks = append(n.asks, asks{stands, end})
}

// endAsks ends the Context of each notification that is not true any more.
func (n *Notifier) endAsks(now *model.Snapshot) {
	n.asks = slices.DeleteFunc(n.asks, func(a asks) bool {
		stands := a.stands(now)
		if !stands {
			a.end()
		}
		return !stands
	})
}

// waitsIn returns a function that reports whether an entry waits for approval and has not changed again.
func waitsIn(now *model.Snapshot) func(told approval.Waiting) bool {
	return func(told approval.Waiting) bool {
		return slices.ContainsFunc(now.Approval.Waiting, func(w approval.Waiting) bool {
			return w.Toolbox == told.Toolbox && w.Server.Name == told.Server.Name && w.Server.SameApproval(told.Server)
		})
	}
}

// changedElsewhere returns the notification about the servers in fresh, which are among those that wait for approval.
func changedElsewhere(waiting []approval.Waiting, fresh []model.Choice) *Notice {
	waiting = slices.DeleteFunc(slices.Clone(waiting), func(w approval.Waiting) bool {
		return !slices.Contains(fresh, model.Choice{Toolbox: w.Toolbox, Server: w.Server.Name})
	})
	notice := &Notice{Title: live.WaitingTitle(waiting), About: Approval, Asks: true, Waiting: waiting}
	if len(fresh) == 1 {
		if live.ShortName(fresh[0].Toolbox) == fresh[0].Toolbox && live.ShortName(fresh[0].Server) == fresh[0].Server {
			notice.Whole = changes.Brief(waiting[0])
		}
		notice.Text = place(fresh[0]) + ": " + live.WhyWaiting(waiting[0].Why)
		return notice
	}
	notice.Text = names(fresh)
	return notice
}

func failed(now *model.Snapshot, servers []model.Choice) *Notice {
	notice := &Notice{Title: lang.N("{{.Count}} servers stopped working", len(servers),
		map[string]any{"Count": len(servers)}), Text: names(servers)}
	if len(servers) == 1 {
		words := live.Words(now.Server(servers[0]), now.Time)
		notice.Title = lang.L("“{{.Name}}” stopped working", map[string]any{"Name": live.ShortName(servers[0].Server)})
		notice.Text = strings.TrimSpace(place(servers[0]) + ": " + words.Detail)
	}
	return notice.about(servers)
}

func toolsChanged(now *model.Snapshot, servers []model.Choice) *Notice {
	notice := &Notice{About: Server, At: servers[0], Asks: true}
	if len(servers) == 1 {
		notice.Title = live.ToolsOf(servers[0].Server, now.Server(servers[0]).Waiting)
		notice.Text = place(servers[0])
		return notice
	}
	notice.Title = lang.N("Tools of {{.Count}} servers wait for your approval", len(servers),
		map[string]any{"Count": len(servers)})
	notice.Text = names(servers)
	return notice
}

func worksAgain(servers []model.Choice) *Notice {
	notice := &Notice{Title: lang.N("{{.Count}} servers work again", len(servers), map[string]any{"Count": len(servers)}),
		Text: names(servers)}
	if len(servers) == 1 {
		notice.Title = lang.L("“{{.Name}}” works again", map[string]any{"Name": live.ShortName(servers[0].Server)})
		notice.Text = place(servers[0])
	}
	return notice
}

// place returns the names of a toolbox and a server, shortened so that the rest of a notification is seen.
func place(at model.Choice) string {
	return kit.Way(live.ShortName(at.Toolbox), live.ShortName(at.Server))
}

// names returns the names of the first few servers as a list in words.
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
