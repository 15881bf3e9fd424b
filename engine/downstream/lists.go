package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// listings has the server's lists that were requested. They are requested again when the server says that they have
// changed.
type listings struct {
	conn      *conn
	remarks   *remarks
	handshake *handshake

	of      [Kinds]atomic.Pointer[itemList] // nil for lists that were not requested
	late    [Kinds]atomic.Bool              // a caller of items did not get the list in time
	notices [Kinds]atomic.Int64             // number of list_changed notifications
	served  [Kinds]atomic.Int64             // how many of these were handled
	relist  chan struct{}                   // see wake
	waitForLists

	faults Faults // the reported faults of the lists other than tools

	mu      sync.Mutex
	listing [Kinds]*listing // the first request of each list; nil if there was none
}

// items is [Session.Items].
func (ls *listings) items(ctx context.Context, kind Kind) ([]Item, error) {
	if list := ls.of[kind].Load(); list != nil {
		return list.items, nil
	}
	if !ls.handshake.about().Has(kind.List().Capability) {
		return nil, nil
	}
	ls.mu.Lock()
	l := ls.listing[kind]
	if l == nil || l.ended() && l.err != nil && time.Now().After(l.until) {
		l = &listing{begun: time.Now(), done: make(chan struct{})}
		if err := ls.conn.begin(func() { ls.first(kind, l) }); err != nil {
			ls.mu.Unlock()
			return nil, err
		}
		ls.listing[kind] = l
	}
	ls.mu.Unlock()
	patience := time.NewTimer(listPatience - time.Since(l.begun))
	defer patience.Stop()
	select {
	case <-l.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-patience.C:
		if !l.ended() {
			ls.late[kind].Store(true)
			return nil, words.NewError("downstream.no_answer_yet", "Method", kind.List().Method).Because(ErrTimeout)
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.list.items, nil
}

// first requests a list for the first time.
func (ls *listings) first(kind Kind, l *listing) {
	limit := max(ls.conn.o.listTimeout(), minListTimeout)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	before := ls.notices[kind].Load()
	var list *itemList
	err := background.Catch(func() (err error) {
		list, err = ls.request(ctx, kind, nil)
		return err
	})
	if err != nil {
		l.err = ls.remarks.explain(context.Background(), err, kind.List().Method, limit)
		l.until = time.Now().Add(failureFactor * time.Since(l.begun))
		close(l.done)
		return
	}
	l.list = list
	ls.keep(kind, list)
	close(l.done)
	if ls.notices[kind].Load() != before { // the list has changed since
		ls.changed(kind)
	}
	if ls.late[kind].Load() {
		ls.wake()
	}
}

// keep stores a list and logs its faults. The faults of tools are logged by the caller of [Connect].
func (ls *listings) keep(kind Kind, list *itemList) {
	ls.of[kind].Store(list)
	if kind == Tools {
		return
	}
	for _, d := range ls.faults.New(list.diagnostics) {
		ls.remarks.lines.say(d.Text())
		ls.remarks.log.Warn("A list of the server is wrong", "problem", d.Text())
	}
}

// tools is [Session.Tools].
func (ls *listings) tools() []Item { return ls.of[Tools].Load().items }

// request requests all pages of a list. initialized is the result of initialize, in which old servers list their tools
// (contract.md, section 7).
func (ls *listings) request(ctx context.Context, kind Kind, initialized []jsonrpc.Member) (*itemList, error) {
	about := kind.List()
	l := &lister{kind: kind, check: ls.conn.o.Check, limit: min(ls.conn.o.MaxMessage, maxDefinitions),
		mask: ls.remarks.lines.hide, names: map[string]bool{}}
	var early json.RawMessage
	if kind == Tools {
		_, remote := ls.conn.peer.(*pipe)
		l.binds = remote && ls.conn.modern()
		if early = jsonrpc.ValueOf(initialized, about.Member); len(early) == 0 || early[0] != '[' {
			early = nil
		}
	}
	declared := jsonrpc.Lookup(jsonrpc.ValueOf(initialized, "capabilities"), about.Capability) != nil
	if early != nil && !declared {
		l.list.fixed = true
		return &l.list, l.add(early)
	}
	cursors := map[string]bool{}
	var params []jsonrpc.Member
	for page := 1; ; page++ {
		result, err := ls.conn.request(ctx, about.Method, params)
		var refused *RPCError
		if page == 1 && errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound {
			l.list.fixed = true
			if early != nil {
				return &l.list, l.add(early)
			}
			return &l.list, nil // the server has no such list
		}
		if err != nil {
			return nil, err
		}
		items := jsonrpc.ValueOf(result, about.Member)
		if items == nil {
			return nil, words.NewError("downstream.no_list", "List", about.Plural)
		}
		if err := l.add(items); err != nil {
			return nil, err
		}
		cursor := jsonrpc.ValueOf(result, "nextCursor")
		text, ok := jsonrpc.String(cursor)
		if !ok && len(cursor) > 0 && cursor[0] >= '0' && cursor[0] <= '9' {
			text, ok = string(cursor), true // a number, which the server gets as it is
		}
		switch {
		case cursor == nil || string(cursor) == "null" || ok && text == "" && !ls.conn.modern():
			return &l.list, nil // since 2026-07-28, an empty text is a cursor like any other
		case !ok:
			l.diagnose("", words.New("downstream.cursor_no_string", "List", about.Plural, "Page", page))
		case cursors[text]:
			l.diagnose("", words.New("downstream.cursor_repeated", "List", about.Plural, "Page", page))
		case page == maxPages:
			l.diagnose("", words.New("downstream.list_pages", "List", about.Plural, "Pages", page))
		case l.seen >= maxItems:
			l.diagnose("", words.New("downstream.list_cut", "List", about.Plural, "Limit", maxItems))
		case l.bytes >= l.limit:
			l.diagnose("", words.New("downstream.list_size", "List", about.Plural, "Limit", inWords(l.limit)))
		default:
			cursors[text] = true
			params = []jsonrpc.Member{{Name: "cursor", Value: cursor}}
			continue
		}
		return &l.list, nil
	}
}

// mirrored returns the arguments of a tool that are also sent as headers.
func (ls *listings) mirrored(tool string) []binding { return ls.of[Tools].Load().mirrored[tool] }

// waitForLists makes answers wait until changed lists were read again.
type waitForLists struct {
	hurry chan struct{} // a value ends the pause before lists are read again
	waits bucket        // rate limit of waiting answers

	roundMu sync.Mutex
	round   chan struct{} // closed and replaced when lists were read again
}

// changed records a list_changed notification. It runs on the read loop.
func (ls *listings) changed(kind Kind) {
	ls.notices[kind].Add(1)
	ls.wake()
}

// wake makes run check for changes.
func (ls *listings) wake() {
	pause.Wake(ls.relist)
}

// listing is the first request of a list.
type listing struct {
	begun time.Time
	done  chan struct{} // closed when list and err are set
	list  *itemList
	err   error
	until time.Time // after an error, when the list may be requested again
}

// ended reports whether done is closed.
func (l *listing) ended() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// listPatience is how long a caller waits for a list. A list that comes later is reported as changed.
const listPatience = 2 * time.Second

// failureFactor is the pause after a failed request of a list, as a multiple of the time that the request took.
const failureFactor = 30
