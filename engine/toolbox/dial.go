package toolbox

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// dialer connects servers: it checks the approval, expands the entry, and starts the server.
type dialer struct {
	options *Options
	client  *clientSide
	alone   alone
	connect func(context.Context, downstream.Options) (connection, error)
}

// hooks are called when a server says something.
type hooks struct {
	list  func(downstream.Kind) // one of its lists has changed
	moved func()                // it is shared, and runs in another process than before
	roots func()                // it runs for this engine alone, and asks for the folders that the app works in
}

// dial connects the server of a link.
func (d *dialer) dial(ctx context.Context, l *link, on hooks) (connection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.options.Approve != nil {
		if err := d.options.Approve(ctx, l.toolbox, l.entry); err != nil {
			return nil, notApproved{err}
		}
	}
	entry, err := expand(ctx, d.options.Lookup, l.entry)
	if err != nil {
		return nil, err
	}
	environ, withheld := inherited(ctx, d.options, entry)
	l.attempt.unset = withheld
	o := d.client.connect(l, downstream.Options{
		Toolbox:       l.toolbox,
		Server:        entry,
		Environ:       environ,
		ClientName:    "mcp-workbench",
		ClientVersion: d.options.Version,
		Tokens:        d.options.Tokens,
		Start:         d.options.Start,
		Logger:        d.options.Logger, // adds toolbox and server itself
		Check:         checkDefinition,
		OnListChanged: on.list,
		OnLog:         l.journal.heard,
	})
	// A shared server is used in the older era, which a client of the modern one notices: requests for input reach it in
	// another form.
	noticed := o.PreferModern && l.entry.Share == nil
	if d.options.Share != nil && !noticed && Shares(l.entry, d.options.Pins) {
		session, why := d.share(ctx, l, o, on.moved)
		if why == nil {
			l.process.Shared = true
			return session, nil
		}
		if ctx.Err() != nil || errors.Is(why, downstream.ErrTimeout) {
			return nil, why
		}
		d.alone.say(l, why)
	} else if !noticed {
		l.process.Key = d.couldShare(l, o)
	}
	l.sayStarting()
	if ask := o.OnRequest; ask != nil {
		o.OnRequest = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			if method == askRoots {
				on.roots()
			}
			return ask(ctx, method, params)
		}
	}
	return d.connect(ctx, o)
}

// dialDownstream is dialer.connect outside of tests.
func dialDownstream(ctx context.Context, options downstream.Options) (connection, error) {
	session, err := downstream.Connect(ctx, options)
	if err != nil {
		return nil, err // not an interface with a nil pointer
	}
	return session, nil
}

// expand returns the entry with its references replaced, or the error of ctx. Reading a locked keychain waits for a
// password and cannot be cancelled. When ctx ends, the goroutine that reads it continues, and its result is dropped.
func expand(ctx context.Context, lookup config.Lookup, entry *config.Server) (*config.Server, error) {
	type expanded struct {
		entry *config.Server
		err   error
	}
	answer := make(chan expanded, 1)
	background.Go(func() {
		var a expanded
		err := background.Catch(func() (err error) {
			a.entry, err = entry.Expand(lookup)
			return err
		})
		answer <- expanded{a.entry, err}
	})
	select {
	case a := <-answer:
		return a.entry, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
