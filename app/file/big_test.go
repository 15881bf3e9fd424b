package file

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// TestALargeFile checks that a large file is searched for secrets in the background and not shown before. If another
// program changes the file meanwhile, the new text is shown.
func TestALargeFile(t *testing.T) {
	large := func(description string) string {
		return with(t, "Development tools", description) +
			strings.Repeat("// a line that says nothing at all\n", 1+maxScanned/30)
	}
	b := open(t, large("First"), usual)
	b.says("a large file", "First", `"GITHUB_TOKEN": "•••"`)

	b.hold = true
	b.outside(large("Second"))
	b.outside(large("Third"))
	b.says("before it is looked through", "First")
	b.release()
	b.says("then", "Third", `"GITHUB_TOKEN": "•••"`)
	b.saysNot("then", token)

	b.hold = true
	b.Screen = New(fake{b}, &model.Opened{})
	b.window.SetContent(b.Object())
	b.apply()
	if b.body.Shown() == b.instead {
		t.Error("the screen says that there is no file while it searches the file")
	}
	b.release()
	b.says("a new screen", "Third")
}
