package changes

import (
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Warnings returns what a person should know before approving an entry. They are the same warnings as when a
// server is added.
func Warnings(w approval.Waiting) []words.Text {
	loud, quiet := warnings(w.Server)
	return append(loud, quiet...)
}

// warnings returns the warnings about an entry, and none for nil. The quiet ones apply to many servers.
func warnings(server *config.Server) (loud, quiet []words.Text) {
	if server == nil {
		return nil, nil
	}
	judged := review.Of(server)
	for _, warning := range judged.Warnings {
		if warning.Loud {
			loud = append(loud, warning.Text)
		} else {
			quiet = append(quiet, warning.Text)
		}
	}
	for _, use := range judged.Uses {
		if !use.Known() {
			quiet = append(quiet, use.Text())
		}
	}
	return loud, quiet
}
