package app

import (
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// The pace of notifications.
const (
	settleTime = 3 * time.Second  // that something must be wrong before it is told: servers come back by themselves
	noticeGap  = 10 * time.Second // between two notifications; what comes meanwhile is told in one
	repeatTime = 10 * time.Minute // before the same server is told of again
)

// notice is one notification.
type notice struct{ Title, Text string }

// notifier decides what is worth a notification: that a server which an AI app was using has failed, that it is back, and that
// the configuration has become unusable. It does so from one snapshot to the next, without clock and without system.
type notifier struct {
	used    map[use]bool // servers that were connected in an engine
	failing map[toolboxes.Choice]*failure
	broken  *failure
	told    map[toolboxes.Choice]time.Time // when a failure was told last
	last    time.Time                      // when anything was told
	back    []toolboxes.Choice             // that waits to be told
}

type use struct {
	engine string
	at     toolboxes.Choice
}

type failure struct {
	since time.Time // later than it began when the one before was told only just now
	told  bool
}

func newNotifier() *notifier {
	return &notifier{used: map[use]bool{}, failing: map[toolboxes.Choice]*failure{}, told: map[toolboxes.Choice]time.Time{}}
}

// next takes up a snapshot. It gives a notification or nothing, and the time at which it wants to be asked again, or none.
func (h *notifier) next(now *snapshot) (*notice, time.Time) {
	wrong, heard := h.look(now)
	for at, failure := range h.failing {
		if wrong[at] {
			continue
		}
		if failure.told && now.server(at).State == status.Connected {
			h.back = append(h.back, at)
		}
		if now.server(at).State == status.Connected || !h.inUse(at) {
			delete(h.failing, at)
		}
	}
	switch {
	case !now.view.Broken:
		h.broken = nil
	case h.broken == nil && now.good != nil:
		h.broken = &failure{since: now.time}
	}
	return h.tell(now, heard)
}

// look remembers which servers are in use, and tells which of those need the user, and of which it is heard how they are. What an engine
// had when it was heard last is still in use there, but how that is doing nobody knows.
func (h *notifier) look(now *snapshot) (wrong, heard map[toolboxes.Choice]bool) {
	wrong, heard = map[toolboxes.Choice]bool{}, map[toolboxes.Choice]bool{}
	there := map[use]bool{}
	for _, engine := range now.live.Engines {
		if engine.Own || engine.Elsewhere {
			continue
		}
		if engine.Trouble != model.NoTrouble {
			for key := range h.used {
				if key.engine == engine.ID {
					there[key] = true
				}
			}
			continue
		}
		for _, server := range engine.Servers {
			at := toolboxes.Choice{Toolbox: server.Toolbox, Server: server.Name}
			key := use{engine.ID, at}
			switch server.State {
			case status.Connected, status.Starting:
				if server.State == status.Connected || h.used[key] {
					there[key], heard[at] = true, true
				}
			case status.Failed, status.Stopped, status.SignIn:
				if !h.used[key] {
					continue // it has never worked, which who opened it was told
				}
				there[key], heard[at], wrong[at] = true, true, true
				if h.failing[at] == nil {
					h.failing[at] = &failure{since: h.since(at, now.time)}
				}
			}
		}
	}
	h.used = there
	return wrong, heard
}

// since gives when a failure of now begins for us: so late that a server that was told of only just now is not told of too soon.
func (h *notifier) since(at toolboxes.Choice, now time.Time) time.Time {
	if least := h.told[at].Add(repeatTime - settleTime); now.Before(least) {
		return least
	}
	return now
}

func (h *notifier) inUse(at toolboxes.Choice) bool {
	for key := range h.used {
		if key.at == at {
			return true
		}
	}
	return false
}

// tell makes one notification of what is due. A failure of which nothing is heard has to wait until something is.
func (h *notifier) tell(now *snapshot, heard map[toolboxes.Choice]bool) (*notice, time.Time) {
	var due []toolboxes.Choice
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
		if at := f.since.Add(settleTime); now.time.Before(at) {
			wait(at)
			return false
		}
		return true
	}
	for server := range now.live.Servers() { // in the order of the file
		at := toolboxes.Choice{Toolbox: server.Toolbox, Server: server.Name}
		if heard[at] && ready(h.failing[at]) {
			due = append(due, at)
		}
	}
	brokenDue := ready(h.broken)
	if len(due) == 0 && len(h.back) == 0 && !brokenDue {
		return nil, later
	}
	if at := h.last.Add(noticeGap); now.time.Before(at) {
		wait(at)
		return nil, later
	}
	h.last = now.time
	// One at a time, the most urgent first; what is left comes after the gap.
	switch {
	case len(due) > 0:
		for _, at := range due {
			h.failing[at].told = true
			h.told[at] = now.time
		}
		if len(h.back) > 0 || brokenDue {
			wait(now.time.Add(noticeGap))
		}
		return failed(now, due), later
	case brokenDue:
		h.broken.told = true
		if len(h.back) > 0 {
			wait(now.time.Add(noticeGap))
		}
		return &notice{lang.L("The configuration file has an error"), lang.L("Its last good version stays in force. Open Workbench to repair it.")}, later
	}
	back := h.back
	h.back = nil
	return worksAgain(back), later
}

func failed(now *snapshot, servers []toolboxes.Choice) *notice {
	if len(servers) == 1 {
		words := live.Words(now.server(servers[0]), now.time)
		return &notice{
			lang.L("“{{.Name}}” stopped working", map[string]any{"Name": servers[0].Server}),
			strings.TrimSpace(servers[0].Toolbox + " › " + servers[0].Server + ": " + words.Detail),
		}
	}
	return &notice{
		lang.N("{{.Count}} servers stopped working", len(servers), map[string]any{"Count": len(servers)}),
		names(servers),
	}
}

func worksAgain(servers []toolboxes.Choice) *notice {
	if len(servers) == 1 {
		return &notice{lang.L("“{{.Name}}” works again", map[string]any{"Name": servers[0].Server}), servers[0].Toolbox + " › " + servers[0].Server}
	}
	return &notice{lang.N("{{.Count}} servers work again", len(servers), map[string]any{"Count": len(servers)}), names(servers)}
}

// names lists the first few servers.
func names(servers []toolboxes.Choice) string {
	const most = 5
	var list []string
	for _, at := range servers[:min(len(servers), most)] {
		list = append(list, at.Server)
	}
	text := strings.Join(list, ", ")
	if len(servers) > most {
		text += "…"
	}
	return text
}
