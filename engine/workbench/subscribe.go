package workbench

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

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
		r.fail(mcp.INVALID_REQUEST, "Invalid Request: subscriptions/listen cannot be part of a batch, whose answer it would hold back", nil)
		return
	}
	var params struct {
		Notifications mcp.SubscriptionFilter `json:"notifications"`
	}
	if err := json.Unmarshal(r.params, &params); err != nil {
		r.fail(mcp.INVALID_PARAMS, "Invalid params: notifications: "+err.Error(), nil)
		return
	}
	filter, err := json.Marshal(params.Notifications)
	if err != nil {
		r.fail(mcp.INTERNAL_ERROR, "encoding the subscription: "+err.Error(), nil)
		return
	}
	// The acknowledgement comes before every notification of the stream, and tells what it will carry.
	s.write([]byte(`{"jsonrpc":"2.0","method":"`+mcp.MethodNotificationSubscriptionsAcknowledged+`","params":{"_meta":{"`+mcp.MetaKeySubscriptionID+`":`),
		r.id, []byte(`},"notifications":`), filter, []byte(`}}`))
	if params.Notifications.ToolsListChanged {
		s.subscribe(r)
		defer s.unsubscribe(r)
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

// subscribe makes a stream one that is told of changes of the tools, at once if there are any.
func (s *Server) subscribe(r *request) {
	s.mu.Lock()
	s.listens[string(r.id)] = true
	s.mu.Unlock()
	s.announce()
}

func (s *Server) unsubscribe(r *request) {
	s.mu.Lock()
	delete(s.listens, string(r.id))
	s.mu.Unlock()
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
