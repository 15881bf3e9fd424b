package words_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
	"github.com/workbench-mcp/workbench-desktop/engine/words/wordstest"
)

// numbered returns a Printer with its own words, so that these tests do not depend on those of the program.
func numbered() words.Printer {
	return words.Through(func(code words.Code, count *int, args map[string]any) (string, bool) {
		switch code {
		case "list.comma":
			return ", ", true
		case "list.semicolon":
			return "; ", true
		case "test.unknown":
			return "", false
		}
		if count != nil {
			return fmt.Sprintf("%s/%d %v", code, *count, args), true
		}
		return fmt.Sprintf("%s %v", code, args), true
	})
}

func TestTextPassesThroughJSON(t *testing.T) {
	inner := words.New("test.inner", "Name", "a name")
	original := words.New("test.outer", "Count", int64(3), "Limit", 30*time.Second, "Why", inner, "Is", true,
		"Names", []string{"a", "b"}, "Parts", []words.Text{inner, words.Foreign("x")}, "Cause", fs.ErrNotExist, "Code",
		words.Code("test.inner"), "None", nil)
	data, err := json.Marshal(original)
	if err != nil {
		t.Fatal(err)
	}
	var read words.Text
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read, original) || !read.Equal(original) {
		t.Errorf("the text is read as %#v, not %#v", read, original)
	}
	const want = "test.outer/3 map[Cause:file does not exist Code:test.inner map[] Count:3 Is:true Limit:30s Names:a, " +
		"b None: Parts:test.inner map[Name:a name]; x Why:test.inner map[Name:a name]]"
	if said := numbered().Text(read); said != want {
		t.Errorf("the text is %s", said)
	}
}

func TestHostileJSON(t *testing.T) {
	deep := strings.Repeat(`{"code":"test.a","args":{"A":`, 50) + `1` + strings.Repeat(`}}`, 50)
	for _, data := range []string{deep, `{"args":{"A":1.5}}`, `{"args":{"A":[1]}}`, `{"args":{"A":null}}`,
		`{"args":[]}`} {
		if err := json.Unmarshal([]byte(data), new(words.Text)); err == nil {
			t.Errorf("%.80s is accepted", data)
		}
	}
}

func TestErrors(t *testing.T) {
	const gone = words.Code("test.gone")
	cause := words.NewError("test.cause", "Path", "/x").Because(gone)
	err := fmt.Errorf("around: %w", words.NewError("test.outer", "Why", cause))
	if !words.Is(err, "test.outer") || !words.Is(err, "test.cause") || !errors.Is(err, gone) ||
		words.Is(err, "test.other") {
		t.Errorf("%#v does not wrap its causes", err)
	}
	if found, ok := words.Find(err, "test.cause"); !ok || found.Args["Path"] != "/x" {
		t.Errorf("the text of its cause is %#v", found)
	}
	if of := words.Of(err); of.Foreign != err.Error() {
		t.Errorf("a wrapped error becomes %#v", of)
	}
	if of := words.Of(fmt.Errorf("%w", cause)); !of.Equal(cause.Text()) {
		t.Errorf("an error without a text of its own becomes %#v", of)
	}
	if of := words.Of(nil); !of.IsZero() {
		t.Errorf("nil becomes %#v", of)
	}
}

func TestPrinter(t *testing.T) {
	moment := time.Date(2026, 11, 2, 9, 5, 7, 80_000_000, time.UTC)
	for _, test := range []struct {
		text words.Text
		want string
	}{
		{words.Text{}, ""},
		{words.Foreign("as it is"), "as it is"},
		{words.And("a", "b", "c"), "a, b and c"},
		{words.And("a", "b"), "a and b"},
		{words.And("a"), "a"},
		{words.And[string](), ""},
		{words.List("a", "b", "c"), "a, b, c"},
		{words.And(words.QuotedEach("a, b", "c", `C:\d`)...), `"a, b", "c" and "C:\d"`},
		{words.Quoted("a\n\u202eb"), `"a\n\u202eb"`},
		{words.Decimal(-1234567.25, 1), "-1,234,567.2"},
		{words.Number(999), "999"},
		{words.At(words.Date(moment), words.Seconds(moment)), "2026-11-02 09:05:07"},
		{words.At(words.Date(moment), words.Milliseconds(moment)), "2026-11-02 09:05:07.080"},
		{words.At(words.DayAndYear(moment), words.Clock(moment)), "2 Nov 2026 09:05"},
		{words.New("test.unknown", "A", 1), "test.unknown"},
		{words.Foreign("a name is missing").AsSentence(), "A name is missing."},
		{words.Foreign("über allem?").AsSentence(), "Über allem?"},
		{words.Foreign("\"npx\" is there").AsSentence(), "\"npx\" is there."},
		{words.Text{}.AsSentence(), ""},
	} {
		if said := test.text.String(); said != test.want {
			t.Errorf("%#v reads %q, not %q", test.text, said, test.want)
		}
	}
	if said := words.In("xx-broken-tag-", "tlh", "en-GB").Text(words.And("a", "b")); said != "a and b" {
		t.Errorf("in languages without texts, the text is %q", said)
	}
}

func TestGerman(t *testing.T) {
	moment := time.Date(2026, 11, 2, 9, 5, 7, 80_000_000, time.UTC)
	german := words.In("de-AT")
	for _, test := range []struct {
		text words.Text
		want string
	}{
		{words.Decimal(1234567.25, 1), "1.234.567,2"},
		{words.At(words.Date(moment), words.Clock(moment)), "02.11.2026, 09:05"},
		{words.Milliseconds(moment), "09:05:07,080"},
		{words.Day(moment), "2. Nov."},
		{words.And("a", "b", "c"), "a, b und c"},
		{words.Language.Text(), "Deutsch"},
	} {
		if said := german.Text(test.text); said != test.want {
			t.Errorf("%#v reads %q, not %q", test.text, said, test.want)
		}
	}
}

// TestRelatedLanguages checks that a system that names a country gets the files of the right language.
func TestRelatedLanguages(t *testing.T) {
	for asked, want := range map[string]string{
		"de-AT": "Deutsch", "fr-CA": "Français", "es-419": "Español", "pt-BR": "Português (Brasil)",
		"pt-PT": "Português (Brasil)", "pt": "Português (Brasil)",
		"en-GB": "English", "ko": "English", "sr-Latn": "English", "not a tag": "English",
	} {
		if got := words.In(asked).Text(words.Language.Text()); got != want {
			t.Errorf("%s: %q, want %q", asked, got, want)
		}
	}
}

func TestMadeUpLanguage(t *testing.T) {
	said := wordstest.MadeUp().Text(words.And("one name", "other"))
	if said != "one name ⓐⓝⓓ other" {
		t.Errorf("the text is %q", said)
	}
	if found := wordstest.English(said, "one name"); !reflect.DeepEqual(found, []string{"other"}) {
		t.Errorf("found %q", found)
	}
}

func TestEnvironment(t *testing.T) {
	for want, variables := range map[string]map[string]string{
		"[de-AT]": {"LANG": "de_AT.UTF-8"},
		"[pt-BR]": {"LC_ALL": "pt_BR", "LANG": "de_AT.UTF-8"},
		"[sr-RS]": {"LC_MESSAGES": "sr_RS@latin", "LANG": "de_AT.UTF-8"},
		"[]":      {"LC_ALL": "C.UTF-8", "LANG": "de_AT.UTF-8"},
	} {
		if got := fmt.Sprint(words.Environment(func(name string) string { return variables[name] })); got != want {
			t.Errorf("%v asks for %s, not %s", variables, got, want)
		}
	}
	if got := words.Environment(func(string) string { return "" }); len(got) != 0 {
		t.Errorf("an empty environment asks for %v", got)
	}
}

// TestSaysWhatGoI18nSays: the files are in the format of go-i18n, so both must give the same results.
func TestSaysWhatGoI18nSays(t *testing.T) {
	bundle := i18n.NewBundle(language.English)
	files, err := fs.Glob(assets.Words, "translations/*.en.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if _, err := bundle.LoadMessageFileFS(assets.Words, name); err != nil {
			t.Fatal(err)
		}
	}
	localizer := i18n.NewLocalizer(bundle)
	for code, names := range englishWords(t) {
		for _, count := range []int{0, 1, 2} {
			for _, value := range []string{"", "a {{.Name}} <b>"} {
				args := map[string]any{}
				text := words.Text{Code: words.Code(code), Args: words.Args{}}
				for _, name := range names {
					if args[name] = value; name == "Count" {
						args[name] = count
					}
					text.Args[name] = args[name]
				}
				config := &i18n.LocalizeConfig{MessageID: code, TemplateData: args}
				if slices.Contains(names, "Count") {
					config.PluralCount = count
				}
				want, err := localizer.Localize(config)
				if said := text.String(); said != want || err != nil {
					t.Errorf("%s with %v reads %q, not %q (%v)", code, args, said, want, err)
				}
			}
		}
	}
}

// TestFallsBackToEnglish: a text that a language does not have yet is shown in English.
func TestFallsBackToEnglish(t *testing.T) {
	files := fstest.MapFS{
		"translations/en.json": {Data: []byte(`{"Open {{.Name}}": "Open {{.Name}}", "Close": "Close"}`)},
		"translations/de.json": {Data: []byte(`{"Close": "Schließen"}`)},
	}
	say := words.Sentences(files, nil, "de")
	for text, want := range map[words.Code]string{"Open {{.Name}}": "Open notes", "Close": "Schließen"} {
		if got, _ := say(text, nil, map[string]any{"Name": "notes"}); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

// TestNetwork checks that the system's own words for a computer that cannot be reached are said in a sentence.
func TestNetwork(t *testing.T) {
	lookup := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}}
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	offline := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Name: "x", Server: "10.0.0.1:53",
		Err: "dial udp 10.0.0.1:53: connect: network is unreachable", IsTemporary: true}}
	if got := words.Of(&url.Error{Op: "Get", URL: "https://x", Err: offline}); got.Code != "network.no_way_there" {
		t.Errorf("offline: %#v", got)
	}
	for want, err := range map[words.Code]error{
		"network.no_such_host":    &url.Error{Op: "Get", URL: "https://x", Err: lookup},
		"network.nothing_answers": refused,
		"network.no_way_there":    os.NewSyscallError("connect", syscall.ENETUNREACH),
		"network.proxy_silent":    &net.OpError{Op: "proxyconnect", Net: "tcp", Err: refused},
		"":                        fmt.Errorf("asking for the list: %w", lookup),
	} {
		if got := words.Of(err); got.Code != want {
			t.Errorf("%v is %#v", err, got)
		}
	}
}
