package sharing

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// TestCardNamesPlaces checks that a card calls the places of an entry what Setup calls them, and variables by name.
func TestCardNamesPlaces(t *testing.T) {
	test.NewTempApp(t)
	shown := kittest.Texts(kittest.Seen(card(&config.Server{Name: "files", Command: "npx"}, []share.Taken{
		{Server: "files", What: words.New("share.folder", "Where", "args")},
		{Server: "files", What: words.New("share.secret", "Where", "API_KEY")},
	})))
	for _, want := range []string{"Arguments: a place in your home folder.", "API_KEY: a secret."} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
}
