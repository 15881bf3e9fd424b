package catalogue

import (
	"slices"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestSearchFindsWhatPeopleDo: people ask for what they do, in their language, with or without accents.
func TestSearchFindsWhatPeopleDo(t *testing.T) {
	for _, c := range []struct {
		language, query string
		want            string // a server that has to be among the first
	}{
		{"en", "mail", "microsoft-365"},
		{"en", "Outlook", "microsoft-365"},
		{"en", "gmail", "google-workspace"},
		{"en", "calendars", "google-calendar"},
		{"en", "word", "files"},
		{"en", "PDF", "files"},
		{"en", "spreadsheet", "excel"},
		{"en", "google drive", "google-drive"},
		{"en", "OneDrive", "microsoft-365"},
		{"en", "lawyer", "files"},
		{"en", "invoices", "xero"},
		{"en", "bookkeeping", "xero"},
		{"en", "tickets", "linear"},
		{"en", "to-do", "todoist"},
		{"en", "notes", "notes"},
		{"en", "slides", "google-drive"},
		{"de", "Termine", "google-calendar"},
		{"de", "rechnung", "xero"},
		{"de", "Kanzlei", "files"},
		{"de", "Tabellenkalkulation", "excel"},
		{"de", "Aufgaben", "todoist"},
		{"de", "calendar", "google-calendar"}, // English as well
		{"es", "reunion", "google-calendar"},
		{"fr", "comptabilite", "xero"},
		{"fr", "dossiers", "files"},
		{"pt-BR", "planilha", "excel"},
		{"ja", "請求書", "xero"},
		{"ja", "予定", "google-calendar"},
		{"zh-Hans", "邮件", "microsoft-365"},
		{"zh-Hans", "律师", "files"},
	} {
		found := Search(c.query, words.In(c.language).Text)
		at := slices.IndexFunc(found, func(e Entry) bool { return e.ID == c.want })
		if at < 0 || at > 5 {
			var got []string
			for _, e := range found {
				got = append(got, e.ID)
			}
			t.Errorf("%s, %q: %s is at %d of %q", c.language, c.query, c.want, at, got)
		}
	}
	if found := Search("gardening of tulips", words.English().Text); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if len(Search("  ", words.English().Text)) != len(All()) {
		t.Error("an empty search does not find all")
	}
}

// TestTopics: each server has topics, and each topic has words.
func TestTopics(t *testing.T) {
	for _, e := range All() {
		if len(e.Topics) == 0 {
			t.Errorf("%s has no topic", e.ID)
		}
		for _, topic := range e.Topics {
			if code := words.Code("catalogue.topic." + topic); code.Text().String() == string(code) {
				t.Errorf("the topic %s of %s has no words", topic, e.ID)
			}
		}
	}
}
