package pool

import (
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// tell sends a line to all engines. It does not block.
func (s *server) tell(line []byte) {
	for _, a := range s.everybody() {
		a.out.tell(line)
	}
}

// listChanged tells all engines that a list has changed.
func (s *server) listChanged(kind downstream.Kind) { s.tell(notification(kind.List().Notice, nil)) }

// wrote passes a line of the server's log to one engine for each place where a configuration has the server: the one
// that has been there longest. All engines of a configuration have one log of the server, in which the line is once.
func (s *server) wrote(line downstream.LogLine) {
	text, err := json.Marshal(line)
	if err != nil {
		return
	}
	said := append(append([]byte(lineWrote), text...), '\n')
	told := map[user]bool{}
	for _, a := range s.everybody() {
		if place := a.user.place(); !told[place] {
			told[place] = a.out.tell(said)
		}
	}
}

// hear passes a notification of the server to the engines for which it is meant.
func (s *server) hear(method string, params json.RawMessage) {
	line := notification(method, params)
	switch method {
	case downstream.LogMessage:
		s.hearMessage(line, params)
	case downstream.ResourceUpdated:
		uri, _ := jsonrpc.String(jsonrpc.Lookup(params, "uri"))
		for _, a := range s.watched.of(uri) {
			a.out.tell(line)
		}
	case downstream.TaskStatus:
		s.tasks.note(params)
		if owner := s.tasks.owner(params); owner != nil {
			owner.out.tell(line)
		}
	case downstream.ElicitationComplete: // an engine to which the elicitation does not belong drops it
		s.tell(line)
	}
}

// hearMessage passes a message for the log to the engines that want messages of its level. While the server works for
// one engine alone, the message is taken for one about that work.
func (s *server) hearMessage(line []byte, params json.RawMessage) {
	level, _ := jsonrpc.String(jsonrpc.Lookup(params, "level"))
	to := s.everybody()
	if caller := s.caller(to); caller != nil {
		to = []*attachment{caller}
	}
	for _, a := range to {
		if s.levels.wants(a, level) {
			a.out.tell(line)
		}
	}
}

// caller returns the engine for which the server works, if it is one alone, and otherwise nil.
func (s *server) caller(among []*attachment) *attachment {
	var found *attachment
	for _, a := range among {
		if a.calling.Load() == 0 {
			continue
		}
		if found != nil {
			return nil
		}
		found = a
	}
	return found
}
