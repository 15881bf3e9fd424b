package changes

import (
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/review"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Warnings says what is worth knowing before an entry is approved, as where a server is added.
func Warnings(w approval.Waiting) []words.Text {
	judged := review.Of(w.Server)
	var all []words.Text
	for _, warning := range judged.Warnings {
		all = append(all, warning.Text)
	}
	for _, use := range judged.Uses {
		if !use.Known() {
			all = append(all, use.Text())
		}
	}
	return all
}
