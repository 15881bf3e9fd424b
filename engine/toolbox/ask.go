package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Why a call that needs the person's permission fails.
const (
	errAsksFirst   = words.Code("toolbox.asks_first")
	errRefused     = words.Code("toolbox.call_refused")
	errNotAnswered = words.Code("toolbox.not_answered")
	errNobodyAsked = words.Code("toolbox.nobody_asked")
	errTooDeep     = words.Code("toolbox.too_deep_to_ask")
)

// askPerson asks the person to allow a call. It returns the permission, an [*Error] that says why there is none, or
// the error of ctx.
func (p *permissions) askPerson(ctx context.Context, id ToolID, l *link, tool *downstream.Item,
	call *downstream.Call) (permission, error) {
	refuse := func(why error) (permission, error) {
		return permission{}, callFailed(id, contract.Unavailable, words.NewError(errAsksFirst, "Why", why))
	}
	switch {
	case p.ask == nil:
		return refuse(errNobodyAsked)
	case len(call.Arguments) > maxAskedBytes:
		return refuse(words.NewError("toolbox.too_large_to_ask", "Size", len(call.Arguments), "Limit", maxAskedBytes))
	case jsonrpc.Depth(call.Arguments) > maxDepth:
		return refuse(errTooDeep)
	case len(id.Tool) > maxName:
		return refuse(words.NewError("toolbox.name_too_long_to_ask", "Size", len(id.Tool), "Limit", maxName))
	}
	limit := p.limit
	if own := l.entry.CallTimeout; own != nil && *own > 0 {
		limit = *own
	}
	asking, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer background.AfterEnd(p.life.ctx, cancel)()
	q := status.Question{
		Toolbox: wholeLine(id.Toolbox), Server: wholeLine(id.Server), Tool: wholeLine(id.Tool),
		Title: oneLine(tool.Title, maxName), Says: firstSentence(oneLine(tool.Description, maxSaid)),
		Destructive: tool.Destructive, Until: time.Now().Add(limit),
		Arguments: jsonrpc.MapStrings(call.Arguments, l.session.MaskCertain),
	}
	l.journal.say(words.New("toolbox.asking", "Tool", q.Tool))
	answer, err := p.awaitPerson(asking, q, call.Progress)
	if err == nil && answer != status.AllowOnce && answer != status.AllowHour {
		err = errRefused
	}
	if err != nil {
		switch {
		case ctx.Err() != nil:
			return permission{}, ctx.Err() // the client has cancelled the call
		case p.life.ctx.Err() != nil:
			err = errShutdown
		case asking.Err() != nil:
			err = words.NewError(errNotAnswered, "Limit", limit)
		}
		l.journal.say(words.New("toolbox.call_not_allowed", "Tool", q.Tool, "Why", err))
		if errors.Is(err, errShutdown) {
			return permission{}, callFailed(id, contract.Unavailable, err)
		}
		return refuse(err)
	}
	given := permission{l.entry, tool.Definition, time.Now().Add(allowedFor)}
	if answer == status.AllowHour {
		p.consents.allow(id, given)
		l.journal.say(words.New("toolbox.call_allowed_hour", "Tool", q.Tool))
	} else {
		l.journal.say(words.New("toolbox.call_allowed", "Tool", q.Tool))
	}
	return given, nil
}

// maxSaid limits the part of a tool's description in a question, in bytes.
const maxSaid = 300

// firstSentence returns the first sentence of a line of text. A full stop before a small letter, as in "e.g. this",
// does not end a sentence.
func firstSentence(text string) string {
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text[i+utf8.RuneLen(r):], " "))
		switch {
		case r == '。', (r == '.' || r == '!' || r == '?') && strings.HasPrefix(text[i+1:], " ") && !unicode.IsLower(next):
			return text[:i+utf8.RuneLen(r)]
		}
	}
	return text
}

// awaitPerson asks the person and returns the answer. While it waits, it calls progress at intervals, if that is not
// nil.
func (p *permissions) awaitPerson(ctx context.Context, q status.Question,
	progress func(json.RawMessage)) (status.Answer, error) {
	type outcome struct {
		answer status.Answer
		err    error
	}
	answered := make(chan outcome, 1)
	p.life.running.Go(func() {
		var o outcome
		o.err = background.Catch(func() (err error) {
			o.answer, err = p.ask(ctx, q)
			return err
		})
		answered <- o
	})
	var tick <-chan time.Time
	if progress != nil {
		ticker := time.NewTicker(waitingInterval)
		defer ticker.Stop()
		tick = ticker.C
		progress(waitingProgress(1))
	}
	for n := 2; ; n++ {
		select {
		case o := <-answered:
			return o.answer, o.err
		case <-tick:
			progress(waitingProgress(n))
		}
	}
}

// waitingProgress returns the params of the nth progress notification while a call waits for the person. Progress must
// grow with each notification, and the server's own begins at 0 or 1, so these values are negative.
func waitingProgress(n int) json.RawMessage {
	params := []byte(`{"progressToken":0,"progress":`)
	params = strconv.AppendFloat(params, -1/float64(n), 'f', -1, 64)
	return append(params, `,"message":"Waiting for the user to allow this call in Workbench"}`...)
}
