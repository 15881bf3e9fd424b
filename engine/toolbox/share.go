package toolbox

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A server is shared with other engines if its entry says so. If the entry says nothing, it is shared if it is known
// to keep nothing of the app that uses it. Where that fails, it runs for this engine alone: this time, or once more
// after the shared one was lost. Then sharing is tried again.

// alone records which servers run for this engine alone although they should be shared.
type alone struct {
	mu   sync.Mutex
	lost map[ServerID]error // why the shared server was lost; removed when the server is started again
	said map[ServerID]bool  // the person was told; removed when the server is shared again
}

// Shares reports whether apps share a server. pins has how it has answered before; nil means that this is not known.
func Shares(entry *config.Server, pins *pin.Store) bool {
	switch {
	case entry.URL != "":
		return false
	case entry.Share != nil:
		return *entry.Share
	case entry.State() != config.StateUnknown:
		return entry.State().KeepsNothing()
	case pins == nil:
		return false
	}
	record, err := pins.Load(pin.KeyOf(entry))
	return err == nil && record.Shareable()
}

// metOf returns how a server has answered when it was started.
func metOf(session connection) *pin.Met {
	info := session.Info()
	sum := sha256.New()
	add := func(part []byte) {
		_, _ = sum.Write(binary.AppendUvarint(nil, uint64(len(part)))) // a hash accepts all
		_, _ = sum.Write(part)
	}
	for _, text := range []string{info.Name, info.Version, info.ProtocolVersion, info.Instructions} {
		add([]byte(text))
	}
	add(info.Capabilities)
	for _, tool := range session.Tools() {
		add(tool.Definition)
	}
	return &pin.Met{Answer: pin.Hash(sum.Sum(nil)), Modern: info.Modern}
}

// share connects a server that is shared. The error says why it runs for this engine alone.
func (d *dialer) share(ctx context.Context, l *link, o downstream.Options, moved func()) (connection, error) {
	if why := d.alone.takeLost(l.id()); why != nil {
		return nil, why
	}
	wanted := downstream.Sharing{Of: o, Roots: d.roots(ctx, l, o), Moved: moved, First: l.sayStarting}
	shared := o
	shared.Attach = func(ctx context.Context) (downstream.Peer, error) { return d.options.Share(ctx, wanted) }
	session, err := d.connect(ctx, shared)
	if err == nil {
		if d.options.App != nil {
			l.said.app = d.options.App()
		}
		d.alone.mu.Lock()
		delete(d.alone.said, l.id())
		d.alone.mu.Unlock()
	}
	return session, err
}

// couldShare returns the key of the process that this engine would use if the entry said that the server is shared,
// or "" if the entry says something of it already. A server that asks for the folders that the app works in has none,
// since they are not known before it is shared.
func (d *dialer) couldShare(l *link, o downstream.Options) string {
	if d.options.ShareKey == nil || l.entry.Share != nil || l.entry.URL != "" || d.wantsRoots(l) {
		return ""
	}
	return d.options.ShareKey(downstream.Sharing{Of: o})
}

// askRoots is the request of a server for the folders that the app works in, and rootsPatience how long an app may
// take to answer it before the server is started.
const (
	askRoots      = "roots/list"
	rootsPatience = 2 * time.Second
)

// roots returns what a shared server is to be told of the folders that the app works in, or nil. Only a server that is
// known to ask is told, since apps with other folders do not share it then.
func (d *dialer) roots(ctx context.Context, l *link, o downstream.Options) json.RawMessage {
	if o.OnRequest == nil || o.PreferModern || jsonrpc.Lookup(o.Capabilities, "roots") == nil || !d.wantsRoots(l) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, rootsPatience)
	defer cancel()
	roots, err := o.OnRequest(ctx, askRoots, nil)
	if err != nil {
		return nil // the journal says so
	}
	return roots
}

// wantsRoots reports whether a server is known to ask for the folders that an app works in.
func (d *dialer) wantsRoots(l *link) bool {
	if l.entry.State() == config.StateFolders {
		return true
	}
	if d.options.Pins == nil {
		return false
	}
	record, err := d.options.Pins.Load(pin.KeyOf(l.entry))
	return err == nil && record != nil && record.Met.Roots
}

// takeLost returns why the shared server was lost that is now to be started again, or nil.
func (a *alone) takeLost(id ServerID) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	why := a.lost[id]
	delete(a.lost, id)
	return why
}

// ended records the end of a session. If the shared server was lost, the next one runs for this engine alone.
func (a *alone) ended(id ServerID, err error) {
	if !errors.Is(err, downstream.ErrUnknown) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lost == nil {
		a.lost = map[ServerID]error{}
	}
	a.lost[id] = err
}

// leftInOrder reports whether a shared server was left to be connected anew: the app works in other folders now, or
// the server came back as another one after it had rested. Neither is a crash.
func leftInOrder(l *link) bool {
	if l.session == nil {
		return false
	}
	err := l.session.Err()
	return words.Is(err, "pool.other_folders") || words.Is(err, "pool.has_changed")
}

// say notes, and tells the person once, that a server runs for this engine alone.
func (a *alone) say(l *link, why error) {
	a.mu.Lock()
	told := a.said[l.id()]
	if a.said == nil {
		a.said = map[ServerID]bool{}
	}
	a.said[l.id()] = true
	a.mu.Unlock()
	l.process.Alone = words.Of(why).Map(secret.Mask)
	if errors.Is(why, downstream.ErrUnknown) { // it also says what that meant for calls, which is past
		l.process.Alone = words.New("pool.ended")
	}
	if !told {
		l.journal.say(words.New("toolbox.alone", "Why", why))
		l.log.Warn("Server is not shared", "reason", why)
	}
}
