package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A server of the modern era reports changes only on streams that the client has requested (2026-07-28,
// "Subscriptions"). A session has two such streams: one for its lists, and one for the subscribed resources.

// maxSubscribed is how many resources of one server may be subscribed to.
const maxSubscribed = 1000

// subscriptions has the streams of a session of the modern era.
type subscriptions struct {
	conn      *conn
	remarks   *remarks
	handshake *handshake
	lists     *listings
	connected chan bool // gets one value when connected: whether the session is of the modern era

	mu      sync.Mutex
	streams map[int64]*stream

	changes chan subscription // for the stream of resources
}

// stream is one subscriptions/listen request.
type stream struct {
	id       int64
	accepted chan json.RawMessage // the filter that the server accepted
	ended    chan error           // gets nil if the server has announced the end
}

// subscription is a request to add or remove a resource.
type subscription struct {
	ctx  context.Context
	uri  string
	add  bool
	done chan error
}

// listFilter returns the filter for the lists of which the server declares listChanged, or nil if there are none.
func (s *subscriptions) listFilter() json.RawMessage {
	info := s.handshake.about()
	filter := []byte{'{'}
	for _, capability := range []string{"tools", "prompts", "resources"} {
		if info.Has(capability, "listChanged") {
			filter = appendMember(filter, capability+"ListChanged", json.RawMessage("true"))
		}
	}
	if len(filter) == 1 {
		return nil
	}
	return append(filter, '}')
}

// resourceFilter returns the filter for updates of resources, or nil for none.
func resourceFilter(uris []string) json.RawMessage {
	if len(uris) == 0 {
		return nil
	}
	filter := []byte(`{"resourceSubscriptions":[`)
	for i, uri := range uris {
		if i > 0 {
			filter = append(filter, ',')
		}
		filter = jsonrpc.AppendString(filter, uri)
	}
	return append(filter, "]}"...)
}

// run keeps the streams open if the session is of the modern era.
func (s *subscriptions) run() {
	select {
	case modern := <-s.connected:
		if !modern {
			return
		}
	case <-s.conn.done:
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	background.Go(func() {
		<-s.conn.done
		cancel()
	})
	var lists background.Group
	lists.Go(func() { s.keepLists(ctx) })
	s.keepResources(ctx)
	lists.Wait()
}

// keepLists keeps the stream for lists open.
func (s *subscriptions) keepLists(ctx context.Context) {
	filter := s.listFilter()
	if filter == nil {
		return
	}
	var pace pace
	for first := true; pace.wait(ctx); first = false {
		begun := time.Now()
		stream, accepted, err := s.open(ctx, filter)
		if err == nil {
			s.missing(filter, accepted)
			if !first { // changes may have been missed
				for kind := range Kinds {
					s.lists.changed(kind)
				}
			}
			select {
			case err = <-stream.ended:
			case <-ctx.Done():
			}
			s.forget(stream)
		}
		lived := time.Since(begun)
		if s.conn.failure() == nil && lived < steadyStream { // otherwise a proxy has probably ended it
			s.remarks.notice(words.New("downstream.changes_untold", "Why", reasonOf(err)))
		}
		pace.ended(lived)
	}
}

// missing logs which changes the server has declared but does not accept to report.
func (s *subscriptions) missing(wanted, accepted json.RawMessage) {
	for _, member := range jsonrpc.Split(wanted) {
		if string(jsonrpc.Lookup(accepted, member.Name)) != "true" {
			s.remarks.notice(words.New("downstream.change_not_agreed", "Capability", member.Name))
		}
	}
}

// keepResources keeps the stream for resources open.
func (s *subscriptions) keepResources(ctx context.Context) {
	var uris []string
	var current *stream
	var pace pace
	var begun time.Time
	var again <-chan struct{} // closed when the stream may be opened again
	for {
		var ended chan error
		if current != nil {
			ended = current.ended
		}
		select {
		case <-ctx.Done():
			return
		case change := <-s.changes:
			wanted := slices.DeleteFunc(slices.Clone(uris), func(uri string) bool { return uri == change.uri })
			if change.add {
				wanted = append(wanted, change.uri)
			}
			next, err := s.replace(change.ctx, current, wanted, change)
			if err == nil {
				uris, current, begun, again = wanted, next, time.Now(), nil
			}
			change.done <- err
		case err := <-ended:
			s.forget(current)
			if s.conn.failure() != nil {
				return
			}
			lived := time.Since(begun)
			if lived < steadyStream {
				s.remarks.notice(words.New("downstream.updates_untold", "Why", reasonOf(err)))
			}
			pace.ended(lived)
			current, again = nil, s.after(ctx, &pace)
		case <-again:
			again = nil
			if len(uris) == 0 {
				continue
			}
			begun = time.Now()
			stream, _, err := s.open(ctx, resourceFilter(uris))
			if err != nil {
				pace.ended(time.Since(begun))
				again = s.after(ctx, &pace)
				continue
			}
			current = stream
		}
	}
}

// after returns a channel that is closed when a stream may be opened again.
func (s *subscriptions) after(ctx context.Context, pace *pace) <-chan struct{} {
	ready := make(chan struct{})
	background.Go(func() {
		defer close(ready)
		pace.wait(ctx)
	})
	return ready
}

// replace opens a stream for uris, and then ends the current one.
func (s *subscriptions) replace(ctx context.Context, current *stream, uris []string,
	change subscription) (*stream, error) {
	if len(uris) > maxSubscribed {
		return nil, &RPCError{Code: jsonrpc.CodeInvalidRequest,
			Message: fmt.Sprintf("%d resources of the server '%s' are subscribed to, and no more can be", maxSubscribed,
				s.conn.o.Server.Name)}
	}
	var next *stream
	if len(uris) > 0 {
		var accepted json.RawMessage
		var err error
		if next, accepted, err = s.open(ctx, resourceFilter(uris)); err != nil {
			return nil, err
		}
		if change.add && !slices.Contains(texts(jsonrpc.Lookup(accepted, "resourceSubscriptions"), maxSubscribed),
			change.uri) {
			s.stop(next)
			return nil, &RPCError{Code: jsonrpc.CodeInvalidParams,
				Message: fmt.Sprintf("the server '%s' does not say when this resource changes", s.conn.o.Server.Name)}
		}
	}
	if current != nil {
		s.stop(current)
	}
	return next, nil
}

// open requests a stream and waits until the server accepts it. It returns the stream and the filter that the server
// has accepted.
func (s *subscriptions) open(ctx context.Context, filter json.RawMessage) (*stream, json.RawMessage, error) {
	limit := max(s.conn.o.listTimeout(), minListTimeout)
	limited, cancel := withLimit(ctx, limit)
	defer cancel()
	opened := &stream{id: s.conn.lastID.Add(1), accepted: make(chan json.RawMessage, 1), ended: make(chan error, 1)}
	s.mu.Lock()
	s.streams[opened.id] = opened
	s.mu.Unlock()
	err := s.conn.register(opened.id, &pending{answer: func(o outcome) { opened.ended <- o.err }})
	if err == nil {
		line := callLine(opened.id, &Call{Method: "subscriptions/listen",
			Params: []jsonrpc.Member{{Name: "notifications", Value: filter}}, own: s.conn.own(nil)})
		if err = s.conn.out.send(limited, opened.id, line, nil); err != nil {
			s.conn.take(opened.id)
		}
	}
	if err != nil {
		s.forget(opened)
		return nil, nil, err
	}
	select {
	case accepted := <-opened.accepted:
		return opened, accepted, nil
	case err := <-opened.ended:
		select {
		case accepted := <-opened.accepted: // it came before the end
			opened.ended <- err
			return opened, accepted, nil
		default:
		}
		s.forget(opened)
		if err == nil {
			err = words.NewError("downstream.stream_not_agreed")
		}
		return nil, nil, err
	case <-limited.Done():
		s.stop(opened)
		if ctx.Err() == nil {
			return nil, nil, words.NewError("downstream.no_agreement", "Limit", limit).Because(ErrTimeout)
		}
		return nil, nil, ctx.Err()
	}
}

// stop ends a stream.
func (s *subscriptions) stop(stream *stream) {
	s.forget(stream)
	if s.conn.take(stream.id) != nil {
		s.conn.withdraw(stream.id, errors.New("the subscription is over"))
	}
}

// forget removes a stream, so that its messages are ignored.
func (s *subscriptions) forget(stream *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.streams, stream.id)
}

// withdrawn handles a cancellation by the server. In the modern era it announces the end of a stream.
func (s *subscriptions) withdrawn(params json.RawMessage) {
	id, ok := parseID(jsonrpc.Lookup(params, "requestId"))
	if !ok {
		return
	}
	s.mu.Lock()
	known := s.streams[id] != nil
	s.mu.Unlock()
	if known {
		s.conn.unanswered(id, words.NewError("downstream.stream_ended"))
	}
}

// streamOf returns the stream that a notification belongs to, or nil.
func (s *subscriptions) streamOf(m jsonrpc.Message) *stream {
	id, ok := parseID(jsonrpc.Lookup(jsonrpc.Lookup(m.Params, "_meta"), mcp.MetaKeySubscriptionID))
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams[id]
}

// accepted passes an accepted filter to open. It runs on the read loop.
func (s *subscriptions) accepted(m jsonrpc.Message) {
	if stream := s.streamOf(m); stream != nil {
		select {
		case stream.accepted <- bytes.Clone(jsonrpc.Lookup(m.Params, "notifications")):
			return
		default: // only the first one counts
		}
	}
	s.remarks.strayLine([]byte(m.Method), errors.New("it agrees to no subscription of ours"))
}

// withoutSubscription returns params without the id of the stream, which has no meaning outside the session.
func withoutSubscription(params json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(params)
	for i, member := range members {
		if member.Name != "_meta" {
			continue
		}
		meta := slices.DeleteFunc(jsonrpc.Split(member.Value), func(m jsonrpc.Member) bool {
			return m.Name == mcp.MetaKeySubscriptionID
		})
		if len(meta) == 0 {
			members = slices.Delete(members, i, i+1)
		} else {
			members[i].Value = jsonrpc.AppendObject(nil, meta)
		}
		break
	}
	return jsonrpc.AppendObject(nil, members)
}

// reasonOf returns why a stream has ended.
func reasonOf(err error) words.Text {
	if err == nil {
		return words.New("downstream.stream_ended")
	}
	return words.Of(err)
}

// change adds or removes a resource.
func (s *subscriptions) change(ctx context.Context, uri string, add bool) error {
	change := subscription{ctx: ctx, uri: uri, add: add, done: make(chan error, 1)}
	select {
	case s.changes <- change:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.conn.done:
		return s.conn.failure()
	}
	select {
	case err := <-change.done:
		return err
	case <-s.conn.done:
		return s.conn.failure()
	}
}
