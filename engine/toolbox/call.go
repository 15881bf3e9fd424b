package toolbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// caller passes calls of tools to their servers, after it has asked the person where that is required.
type caller struct {
	boxes        *boxes
	router       *router
	permissions  *permissions
	tasks        *Tasks
	references   *references
	elicitations *owners // by elicitation id
}

// call passes a call to its server and returns the members of the result. waited is how long the person took to allow
// it.
func (c *caller) call(ctx context.Context, id ToolID, call *downstream.Call) (answer []jsonrpc.Member,
	waited time.Duration, err error) {
	given := c.permissions.consents.continues(id, call)
	for renewed := false; ; {
		l, release, err := c.router.acquire(ctx, id)
		if err != nil {
			return nil, waited, err
		}
		tool := find(l.session.Tools(), id.Tool)
		if tool == nil {
			release()
			return nil, waited, toolNotFound(id, toolNames(c.boxes.offered(l, l.entry)))
		}
		if why := c.boxes.whyWithheld(l, id.Tool); why != nil {
			release()
			return nil, waited, callFailed(id, contract.Unavailable, why)
		}
		if !c.permissions.mustAsk(id, l, tool) || given.covers(l, tool) {
			result, err := c.deliver(ctx, id, l, tool, call)
			release()
			if !renewed && mayRepeat(ctx, err) {
				renewed = true
				continue
			}
			c.permissions.consents.keep(id, call, given, result)
			return result, waited, err
		}
		release() // so that the server can be stopped while the person is asked
		call.LetNext()
		asked := time.Now()
		given, err = c.permissions.askPerson(ctx, id, l, tool, call)
		waited += time.Since(asked)
		if err != nil {
			return nil, waited, err
		}
	}
}

// deliver passes a call to a connected server.
func (c *caller) deliver(ctx context.Context, id ToolID, l *link, tool *downstream.Item,
	call *downstream.Call) ([]jsonrpc.Member, error) {
	call.Tool = id.Tool
	asTask := slices.ContainsFunc(call.Params, func(m jsonrpc.Member) bool { return m.Name == "task" })
	var result []jsonrpc.Member
	var err error
	if tool.TaskOnly && !asTask {
		result, err = c.tasks.callAsTask(ctx, l, *call)
	} else {
		result, err = l.session.Call(ctx, *call)
	}
	if err == nil && asTask {
		err = c.tasks.record(l, result)
	}
	if err == nil {
		result = definition.MendResult("tools/call", nil, result)
		c.references.note(id.On(), result)
		return withOwnPages(id.On(), result), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, c.explain(l, id, err)
}

// explain converts an error of a session to one for callers.
func (c *caller) explain(l *link, id ToolID, err error) error {
	if rpc := asRPC(err); rpc != nil {
		elicitations, _ := jsonrpc.Elements(jsonrpc.Lookup(rpc.Data, "elicitations")) // of -32042
		for _, e := range elicitations {
			c.elicitations.noteElicitation(l.id(), e)
		}
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	failed := callFailed(id, codeOf(err), c.boxes.reason(l, err))
	if errors.Is(err, downstream.ErrUnknown) && !errors.Is(err, downstream.ErrNotRun) {
		failed.Details.Outcome = contract.UnknownOutcome
	}
	if rpc := asRPC(err); rpc != nil && rpc.Code != jsonrpc.CodeVisitURL { // its sentence has the page
		failed.hintData(rpc.Data)
	}
	return failed
}
