package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// filter selects notifications in subscriptions/listen.
type filter struct {
	Tools     bool     `json:"toolsListChanged,omitempty"`
	Prompts   bool     `json:"promptsListChanged,omitempty"`
	Resources bool     `json:"resourcesListChanged,omitempty"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
}

func (f filter) isEmpty() bool { return !f.Tools && !f.Prompts && !f.Resources && len(f.URIs) == 0 }

// listen keeps the stream of a subscriptions/listen request open until the client cancels it or the session ends.
func (s *Server) listen(ctx context.Context, r *request) {
	e := eraOf(r.params)
	if !e.modern {
		r.requiresModern()
		return
	}
	if r.refuseEra(e) {
		return
	}
	s.noteClient(e)
	if r.batch {
		r.fail(jsonrpc.CodeInvalidRequest,
			"Invalid Request: subscriptions/listen cannot be part of a batch, whose answer it would hold back", nil)
		return
	}
	var params struct {
		Notifications filter `json:"notifications"`
	}
	if err := json.Unmarshal(r.params, &params); err != nil {
		r.fail(jsonrpc.CodeInvalidParams, "Invalid params: notifications must be an object with switches and a list of URIs",
			nil)
		return
	}
	one := &stream{id: r.id, uris: map[string]bool{}}
	one.kinds[downstream.Tools] = params.Notifications.Tools
	one.kinds[downstream.Prompts] = params.Notifications.Prompts
	one.kinds[downstream.Resources] = params.Notifications.Resources
	one.kinds[downstream.Templates] = params.Notifications.Resources
	params.Notifications.URIs = s.streams.followAll(ctx, one, params.Notifications.URIs)
	defer s.streams.unfollowAll(context.WithoutCancel(ctx), one)
	if ctx.Err() != nil {
		return
	}
	accepted, err := json.Marshal(params.Notifications)
	if err != nil {
		r.fail(jsonrpc.CodeInternalError, "encoding the subscription: "+err.Error(), nil)
		return
	}
	// The acknowledgement comes before all notifications of the stream. It has the filter that was accepted.
	s.conn.write([]byte(`{"jsonrpc":"2.0","method":"`+mcp.MethodNotificationSubscriptionsAcknowledged+
		`","params":{"_meta":{"`+mcp.MetaKeySubscriptionID+`":`),
		r.id, []byte(`},"notifications":`), accepted, []byte(`}}`))
	defer s.streams.begin(string(r.id), one)()
	if one.kinds[downstream.Tools] {
		s.announcer.announce() // changes since the client listed the tools
	}
	if !params.Notifications.isEmpty() {
		<-ctx.Done()
		if r.withdrawn.Load() {
			return // the client expects no answer
		}
	}
	meta := s.identity.appendServerMeta(nil, []jsonrpc.Member{{Name: mcp.MetaKeySubscriptionID, Value: r.id}})
	r.result(append(append([]byte(`{"resultType":"complete","_meta":`), meta...), '}'))
}

// followAll makes a new stream follow resources. It returns those that could be subscribed to, without duplicates.
func (s *streams) followAll(ctx context.Context, one *stream, uris []string) (followed []string) {
	for _, uri := range uris {
		if one.uris[uri] {
			continue
		}
		wait, done := s.turns.take(uri)
		wait(ctx)
		err := s.follow(ctx, uri)
		done()
		if err != nil {
			s.log.Debug("A resource cannot be subscribed to", "uri", downstream.Clean(uri, 200), "error", err)
			continue
		}
		one.uris[uri] = true
		followed = append(followed, uri)
	}
	return followed
}

// unfollowAll undoes followAll for a stream that has ended.
func (s *streams) unfollowAll(ctx context.Context, one *stream) {
	for uri := range one.uris {
		wait, done := s.turns.take(uri)
		wait(ctx)
		_ = s.unfollow(ctx, uri) // there is nobody to report an error to
		done()
	}
}
