package workbench

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// listen holds a subscriptions/listen stream open until the client cancels it or run ends. mcp-go
// could do it, but its acknowledgement takes another way than its result and may come second, and the
// ids in both have been through a float64.
func (s *Server) listen(run, ctx context.Context, r *request) {
	if e := eraOf(r.params); !e.modern || !e.proper {
		s.delegate(ctx, r) // mcp-go has the protocol's own words for what is wrong
		return
	}
	if r.batch {
		r.fail(jsonrpc.CodeInvalidRequest, "Invalid Request: subscriptions/listen cannot be part of a batch, whose answer it would hold back", nil)
		return
	}
	var params struct {
		Notifications mcp.SubscriptionFilter `json:"notifications"`
	}
	if err := json.Unmarshal(r.params, &params); err != nil {
		r.fail(jsonrpc.CodeInvalidParams, "Invalid params: notifications: "+err.Error(), nil)
		return
	}
	one := &stream{id: r.id, uris: map[string]bool{}}
	one.kinds[downstream.Tools] = params.Notifications.ToolsListChanged
	one.kinds[downstream.Prompts] = params.Notifications.PromptsListChanged
	one.kinds[downstream.Resources] = params.Notifications.ResourcesListChanged
	one.kinds[downstream.Templates] = params.Notifications.ResourcesListChanged
	var had []string
	for _, uri := range params.Notifications.ResourceSubscriptions {
		if one.uris[uri] {
			continue
		}
		wait, done := s.subscribing.take(uri)
		wait()
		err := s.follow(ctx, uri)
		done()
		if err != nil {
			s.log.Debug("A resource cannot be subscribed to", "uri", downstream.Clean(uri, 200), "error", err)
			continue
		}
		one.uris[uri] = true
		had = append(had, uri)
	}
	defer func() {
		for uri := range one.uris {
			wait, done := s.subscribing.take(uri)
			wait()
			_ = s.unfollow(context.WithoutCancel(ctx), uri) // the client's stream is over either way
			done()
		}
	}()
	if ctx.Err() != nil {
		return
	}
	params.Notifications.ResourceSubscriptions = had
	filter, err := json.Marshal(params.Notifications)
	if err != nil {
		r.fail(jsonrpc.CodeInternalError, "encoding the subscription: "+err.Error(), nil)
		return
	}
	// The acknowledgement comes before every notification of the stream, and tells what it will carry.
	s.write([]byte(`{"jsonrpc":"2.0","method":"`+mcp.MethodNotificationSubscriptionsAcknowledged+`","params":{"_meta":{"`+mcp.MetaKeySubscriptionID+`":`),
		r.id, []byte(`},"notifications":`), filter, []byte(`}}`))
	s.mu.Lock()
	s.streams[string(r.id)] = one
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.streams, string(r.id))
		s.mu.Unlock()
	}()
	if one.kinds[downstream.Tools] {
		s.announce() // of what has changed since the client listed the tools
	}
	if !params.Notifications.IsEmpty() {
		<-ctx.Done()
		if run.Err() == nil {
			return // the client has cancelled it and expects no answer
		}
	}
	meta := s.appendServerMeta(nil, []jsonrpc.Member{{Name: mcp.MetaKeySubscriptionID, Value: r.id}})
	r.result(append(append([]byte(`{"resultType":"complete","_meta":`), meta...), '}'))
}

// forwardNotifications writes what mcp-go sends by itself.
func (s *Server) forwardNotifications(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case notification := <-s.session.notifications:
			raw, err := json.Marshal(notification)
			if err != nil {
				s.log.Error("A notification could not be encoded", "method", notification.Method, "error", err)
				continue
			}
			s.write(raw)
		}
	}
}
