package toolbox

import (
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Why a call of a withheld tool fails.
const (
	errToolChanged = words.Code("toolbox.tool_changed")
	errToolUnread  = words.Code("toolbox.tool_unread")
	errToolsFull   = words.Code("toolbox.tool_beyond")
)

// pinning is what a link knows about the pins of its server. It is guarded by boxes.mu.
type pinning struct {
	loaded       bool // the file was read
	key          pin.Hash
	record       *pin.Record              // nil if nothing is stored yet
	trusted      bool                     // the approved entry accepts changes without asking
	unread       bool                     // the file exists and cannot be read, so all tools are withheld
	withheld     map[string]bool          // see [pin.Verdict]
	waiting      int                      // how many of these need the person's approval and are not hidden by filters
	full         bool                     // it was logged that there are too many tools
	marked       int                      // number of tools with words that may steer a model
	told         map[pin.WordsID]bool     // items of other lists of which it was logged that their words are left out
	words        map[pin.WordsID]pin.Hash // items of other lists that are not in the file yet
	writing      bool                     // the file is being stored
	stale        bool                     // the file must be stored again
	met          *pin.Met                 // how the server has answered, if that is not in the file yet
	roots        bool                     // the server has asked for the folders that the app works in
	instructions json.RawMessage          // the definition of the server's instructions; nil if there are none
	looked       int                      // bytes of other lists that were searched for words that steer a model
}

// verdict decides which tools of a list are withheld: all, if the approved definitions cannot be read.
func (p *pinning) verdict(tools []pin.Definition, version string) pin.Verdict {
	if !p.unread || p.trusted {
		return p.record.Judge(tools, version, p.trusted)
	}
	all := make(map[string]bool, len(tools))
	for _, tool := range tools {
		all[tool.Name] = false
	}
	return pin.Verdict{Withheld: all}
}
