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

// pinning is what a link knows of the pins of its server. It is guarded by boxes.mu.
type pinning struct {
	loaded       bool // the server has been connected, and its file was read
	key          pin.Hash
	record       *pin.Record              // nil when nothing is kept yet
	trusted      bool                     // the entry that was approved and connected takes changes up
	unread       bool                     // the file exists and could not be read; all tools are withheld until it can be
	withheld     map[string]bool          // see [pin.Verdict]
	waiting      int                      // how many of these the filters let through, and a person is asked about
	full         bool                     // the log says already that there is no room for new tools
	marked       int                      // tools whose words were told of
	told         map[pin.WordsID]bool     // items of other lists whose words are left out, as the log says
	words        map[pin.WordsID]pin.Hash // items of other lists that are not in the file yet
	writing      bool                     // the file is being written
	stale        bool                     // and has to be written once more
	instructions json.RawMessage          // the definition of the server's instructions; nil if it has none
	looked       int                      // bytes of items of other lists that were searched for words that steer a model
}

// verdict decides which tools of a list may be offered: none while the approved definitions cannot be read.
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
