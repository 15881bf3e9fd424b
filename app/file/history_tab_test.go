package file

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

func TestHistory(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development", "al")
	b.wait()
	second := with(t, "Development", "Developmental")
	b.outside(strings.Replace(second, token, "hunter2-another", 1))
	b.ShowHistory()
	b.says("the list", "Text typed in the window", "Changed by another program", "In this window", "Just now",
		"1 line added · 1 line removed")
	b.saysNot("the list", "hunter2")
	b.saysNot("who made a version, beside a title that says that", "· Changed by another program")
	b.says("the newest", "This is what the file has now.")
	b.history.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	b.history.mode.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	b.says("the first, against now", "2 lines added · 2 lines removed", "Developmental", "−", "+")
	b.saysNot("the first, against now", "hunter2")
	b.tap("Restore")
	b.onDisk("restored", plainText) // the store still knows the secret
	if len(b.undone) != 1 || !strings.HasPrefix(b.undone[0], "Restored the version of ") ||
		strings.Contains(b.undone[0], "Just now") {
		t.Fatalf("the offered undo is %q", b.undone)
	}
	b.says("restored", "Restored version 1")
	if _, err := b.store.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.apply()
	b.says("undone", "Undone: Restored version 1")
	b.ShowText()
	b.says("the text", "Developmental")
}

// TestHistoryNamesMissingSecrets checks that secrets whose values are no longer known are listed before a version is
// restored.
func TestHistoryNamesMissingSecrets(t *testing.T) {
	b := open(t, plainText, usual)
	without := with(t, `"GITHUB_TOKEN": "`+token+`", `, "")
	b.outside(without)
	b.reopen()
	b.apply()
	b.ShowHistory()
	b.history.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	b.says("before", "1 secret has to be typed in again", "dev › github › env › GITHUB_TOKEN")
	b.tap("Restore")
	b.onDisk("restored", with(t, token, "${RESTORE_ME_GITHUB_GITHUB_TOKEN}"))
}

func TestHistoryEmpty(t *testing.T) {
	b := open(t, "", usual)
	b.ShowHistory()
	b.says("empty", "No versions yet")

	b = open(t, plainText, usual)
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.reopen()
	b.reload()
	b.tap("History")
	b.says("of a file that is gone", "Changed by another program")
	b.tap("Restore")
	b.onDisk("of a file that is gone", with(t, token, "${RESTORE_ME_GITHUB_GITHUB_TOKEN}"))
}
