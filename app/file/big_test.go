package file

import (
	"strings"
	"testing"
)

// A large file is looked through for secrets while the window goes on, and is not shown before. What another program makes of it
// meanwhile is what is shown.
func TestALargeFile(t *testing.T) {
	large := func(description string) string {
		return with(t, "Development tools", description) + strings.Repeat("// a line that says nothing at all\n", 1+maxScanned/30)
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
	b.Screen = New(b.does())
	b.window.SetContent(b.Object())
	b.apply()
	if b.body.Shown() == b.instead {
		t.Error("it says that there is no file while it is looked through")
	}
	b.release()
	b.says("a new screen", "Third")
}
