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

// A server of the modern era reports changes only in streams that the client has requested (2026-07-28,
// "Subscriptions"). A session has two such streams: one for its lists, as long as the session lives, and one
// for the subscribed resources.

// maxSubscribed is how many resources of one server may be subscribed.
const maxSubscribed = 1000

// subscriptions are the streams of a session.
type subscriptions struct {
	mu      sync.Mutex
	streams map[int64]*stream

	changes chan subscription // for the stream of the resources
}

// stream is one subscriptions/listen request.
type stream struct {
	id       int64
	accepted chan json.RawMessage // the filter that the server accepted
	ended    chan error           // nil if the server announced the end
}

// subscription adds or removes a subscribed resource.
type subscription struct {
	ctx  context.Context
	uri  string
	add  bool
	done chan error
}

// listFilter returns a filter for the lists for which the server declares listChanged; nil if there are none.
func (s *Session) listFilter() json.RawMessage {
	info := s.Info()
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

// resourceFilter returns a filter for updates of resources; nil for none.
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

// subscribeLoops runs the streams of a session if the server turns out to be of the modern era.
func (s *Session) subscribeLoops() {
	select {
	case modern := <-s.greeted:
		if !modern {
			return
		}
	case <-s.done:
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	background.Go(func() {
		<-s.done
		cancel()
	})
	var lists background.Group
	lists.Go(func() { s.keepLists(ctx) })
	s.keepResources(ctx)
	lists.Wait()
}

// keepLists keeps the stream of the lists open.
func (s *Session) keepLists(ctx context.Context) {
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
					s.changed(kind)
				}
			}
			select {
			case err = <-stream.ended:
			case <-ctx.Done():
			}
			s.forget(stream)
		}
		lived := time.Since(begun)
		if s.Err() == nil && lived < steadyStream { // otherwise a proxy has probably cut it
			s.notice(words.New("downstream.changes_untold", "Why", reasonOf(err)))
		}
		pace.ended(lived)
	}
}

// missing logs the changes that the server has declared but does not report.
func (s *Session) missing(wanted, accepted json.RawMessage) {
	for _, member := range jsonrpc.Split(wanted) {
		if string(jsonrpc.Lookup(accepted, member.Name)) != "true" {
			s.notice(words.New("downstream.change_not_agreed", "Capability", member.Name))
		}
	}
}

// keepResources keeps the stream of the subscribed resources open.
func (s *Session) keepResources(ctx context.Context) {
	var uris []string
	var current *stream
	var pace pace
	var begun time.Time
	var again <-chan struct{} // closed when a stream that has ended may be opened again
	for {
		var ended chan error
		if current != nil {
			ended = current.ended
		}
		select {
		case <-ctx.Done():
			return
		case change := <-s.subs.changes:
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
			if s.Err() != nil {
				return
			}
			lived := time.Since(begun)
			if lived < steadyStream {
				s.notice(words.New("downstream.updates_untold", "Why", reasonOf(err)))
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

// after returns a channel that is closed when a stream may be requested again.
func (s *Session) after(ctx context.Context, pace *pace) <-chan struct{} {
	ready := make(chan struct{})
	background.Go(func() {
		defer close(ready)
		pace.wait(ctx)
	})
	return ready
}

// replace opens a stream for other resources, and only then ends the current one.
func (s *Session) replace(ctx context.Context, current *stream, uris []string, change subscription) (*stream, error) {
	if len(uris) > maxSubscribed {
		return nil, &RPCError{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("%d resources of the server '%s' are subscribed to, and no more can be", maxSubscribed, s.o.Server.Name)}
	}
	var next *stream
	if len(uris) > 0 {
		var accepted json.RawMessage
		var err error
		if next, accepted, err = s.open(ctx, resourceFilter(uris)); err != nil {
			return nil, err
		}
		if change.add && !slices.Contains(texts(jsonrpc.Lookup(accepted, "resourceSubscriptions"), maxSubscribed), change.uri) {
			s.stop(next)
			return nil, &RPCError{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("the server '%s' does not say when this resource changes", s.o.Server.Name)}
		}
	}
	if current != nil {
		s.stop(current)
	}
	return next, nil
}

// open requests a stream and waits until the server accepts it.
func (s *Session) open(ctx context.Context, filter json.RawMessage) (*stream, json.RawMessage, error) {
	limit := max(s.o.listTimeout(), minListTimeout)
	limited, cancel := withLimit(ctx, limit)
	defer cancel()
	opened := &stream{id: s.lastID.Add(1), accepted: make(chan json.RawMessage, 1), ended: make(chan error, 1)}
	s.subs.mu.Lock()
	s.subs.streams[opened.id] = opened
	s.subs.mu.Unlock()
	err := s.register(opened.id, &pending{answer: func(o outcome) { opened.ended <- o.err }})
	if err == nil {
		line := callLine(opened.id, Call{Method: "subscriptions/listen", Params: []jsonrpc.Member{{Name: "notifications", Value: filter}}, own: s.own(nil)})
		if err = s.out.send(limited, opened.id, line, nil); err != nil {
			s.take(opened.id)
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
func (s *Session) stop(stream *stream) {
	s.forget(stream)
	if s.take(stream.id) != nil {
		s.withdraw(stream.id, errors.New("the subscription is over"))
	}
}

// forget makes the session ignore further messages of a stream.
func (s *Session) forget(stream *stream) {
	s.subs.mu.Lock()
	defer s.subs.mu.Unlock()
	delete(s.subs.streams, stream.id)
}

// streamOf returns the stream that a notification belongs to; nil if there is none.
func (s *Session) streamOf(m jsonrpc.Message) *stream {
	id, ok := parseID(jsonrpc.Lookup(jsonrpc.Lookup(m.Params, "_meta"), mcp.MetaKeySubscriptionID))
	if !ok {
		return nil
	}
	s.subs.mu.Lock()
	defer s.subs.mu.Unlock()
	return s.subs.streams[id]
}

// accepted passes on the filter that a server accepted. It runs on the read loop.
func (s *Session) accepted(m jsonrpc.Message) {
	if stream := s.streamOf(m); stream != nil {
		select {
		case stream.accepted <- bytes.Clone(jsonrpc.Lookup(m.Params, "notifications")):
			return
		default: // only the first one counts
		}
	}
	s.strayLine([]byte(m.Method), errors.New("it agrees to no subscription of ours"))
}

// withoutSubscription returns params without the id of their stream, which has no meaning outside the
// session.
func withoutSubscription(params json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(params)
	for i, member := range members {
		if member.Name != "_meta" {
			continue
		}
		meta := slices.DeleteFunc(jsonrpc.Split(member.Value), func(m jsonrpc.Member) bool { return m.Name == mcp.MetaKeySubscriptionID })
		if len(meta) == 0 {
			members = slices.Delete(members, i, i+1)
		} else {
			members[i].Value = jsonrpc.AppendObject(nil, meta)
		}
		break
	}
	return jsonrpc.AppendObject(nil, members)
}

// notice writes a remark of ours into the server's log.
func (s *Session) notice(text words.Text) {
	s.log.Info("The server does not tell of all changes", "reason", clean(text.String(), maxLogLine))
	s.lines.say(text)
}

// reasonOf returns why a stream has ended.
func reasonOf(err error) words.Text {
	if err == nil {
		return words.New("downstream.stream_ended")
	}
	return words.Of(err)
}
