package add

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/registry"
)

// searched is a search that the dialog has sent.
type searched struct {
	query, next string
	ctx         context.Context
	done        func(registry.Page, error)
}

// registryIn gives the dialog a registry. paused has the pauses in typing that are not over yet, and asked has the
// searches that were sent.
func registryIn(o *opened) (paused *[]func(), asked *[]searched) {
	paused, asked = new([]func()), new([]searched)
	o.later = func(f func()) func() {
		stopped := false
		*paused = append(*paused, func() {
			if !stopped {
				f()
			}
		})
		return func() { stopped = true }
	}
	o.registry = &fakeRegistry{asked}
	return paused, asked
}

// fakeRegistry is a registry that keeps what it was asked for.
type fakeRegistry struct{ asked *[]searched }

func (r *fakeRegistry) Host() string     { return "registry.example.com" }
func (r *fakeRegistry) IsOfficial() bool { return true }

func (r *fakeRegistry) Search(ctx context.Context, query, next string, done func(registry.Page, error)) {
	*r.asked = append(*r.asked, searched{query, next, ctx, done})
}

// recordedPage returns the result of a search in the recorded answer of the registry.
func recordedPage(t *testing.T, query string) registry.Page {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "engine", "manage", "entries", "registry", "testdata", "servers.json"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }))
	defer server.Close()
	page, err := registry.New(registry.Options{Address: server.URL}).Search(t.Context(), query, "")
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// inRegistry selects the registry in the list of categories.
func (o *opened) inRegistry() {
	o.chooser.catalogue.categories.Select(len(catalogue.Categories()) + 1)
}

// TestNothingIsSentBefore checks that a search in the catalogue sends nothing, and that the dialog says what a search
// in the registry sends.
func TestNothingIsSentBefore(t *testing.T) {
	o := newOpened(t)
	paused, asked := registryIn(o)
	o.show(normal, Start{})
	test.Type(o.chooser.catalogue.search, "weather")
	if len(*paused)+len(*asked) > 0 {
		t.Fatal("a search in the catalogue has asked the registry")
	}
	test.Type(o.chooser.catalogue.search, " zzz")
	if page := o.chooser.catalogue; !page.nothing.Visible() || !page.rows.Visible() {
		t.Error("nothing says what else helps than the registry")
	}
	o.reads("Search the public list for “weather zzz”", "Ask the maker of the program", "[Paste]",
		"What you type here is sent to registry.example.com.")
	o.chooser.catalogue.rows.OnChosen(len(o.chooser.catalogue.shown))
	o.reads("What you type here is sent to registry.example.com.", "Searching…")
	if len(*paused) != 1 || len(*asked) != 0 {
		t.Errorf("%d pauses, %d searches", len(*paused), len(*asked))
	}
}

// TestRegistrySwitchedOff checks that the registry is not offered if it is switched off.
func TestRegistrySwitchedOff(t *testing.T) {
	o := newOpened(t).show(normal, Start{})
	o.lacks("Public list")
	test.Type(o.chooser.catalogue.search, "zzz")
	o.lacks("Public list")
	o.reads("Nothing matches")
}

// TestSearchAsOneTypes checks that a search waits for a pause in typing, that more typing cancels the search, and that
// an old answer never replaces a newer one.
func TestSearchAsOneTypes(t *testing.T) {
	o := newOpened(t)
	paused, asked := registryIn(o)
	o.show(normal, Start{})
	o.inRegistry()
	o.reads("Search")
	test.Type(o.chooser.catalogue.search, "weat")
	for _, over := range *paused {
		over()
	}
	*paused = nil
	if len(*asked) != 1 || (*asked)[0].query != "weat" {
		t.Fatalf("asked: %+v", *asked)
	}
	test.Type(o.chooser.catalogue.search, "her")
	if (*asked)[0].ctx.Err() == nil {
		t.Error("the search for the old text was not cancelled")
	}
	for _, over := range *paused {
		over()
	}
	*paused = nil
	if last := (*asked)[len(*asked)-1]; len(*asked) != 2 || last.query != "weather" {
		t.Fatalf("asked: %+v", *asked)
	}
	(*asked)[1].done(registry.Page{Servers: recordedPage(t, "weather").Servers[1:2], Next: "more"}, nil)
	(*asked)[0].done(recordedPage(t, "filesystem"), nil)
	o.reads("Weather", "the GitHub account example", "Python MCP server for weather data access", "Needs uv", "Show more",
		"1 server to choose from")
	o.lacks("Filesystem")
	o.chooser.catalogue.registry.rows.OnChosen(1)
	if last := (*asked)[len(*asked)-1]; last.next != "more" || last.query != "weather" {
		t.Errorf("asked: %+v", last)
	}
	(*asked)[2].done(registry.Page{}, errors.New("the registry has gone"))
	o.reads("The registry has gone.", "[Try again]")
}

// TestRegistryServerIsReviewed checks that the review of a server of the registry shows its publisher, how it runs and
// what to fill in. Secrets go to the keychain, and empty fields leave nothing in the entry.
func TestRegistryServerIsReviewed(t *testing.T) {
	o := newOpened(t)
	_, asked := registryIn(o)
	o.show(normal, Start{})
	o.inRegistry()
	list := o.chooser.catalogue.registry
	list.query = "x"
	list.ask("")
	(*asked)[0].done(registry.Page{
		Servers: append(recordedPage(t, "weather").Servers, recordedPage(t, "database").Servers...)}, nil)
	at := slices.IndexFunc(list.shown, func(s registry.Server) bool { return s.Title == "Weather" })
	list.rows.OnChosen(at)
	o.reads("Published by github.com/example, as the public list says. Nobody has checked what it does.",
		"uvx weather-mcp-server==0.5.0",
		"WEATHER_API_KEY", "API key for weather service", "To fill in: WEATHER_API_KEY.")
	if !o.review.confirm.Disabled() {
		t.Fatal("the server can be added without its key")
	}
	for _, f := range o.review.candidates[0].fields {
		if f.label == "WEATHER_API_KEY" {
			f.value = "s3cr3t-key"
		}
	}
	o.review.update()
	o.tap("Add and try")
	if len(o.added) != 1 || !strings.Contains(string(o.added[0].Entry), `"WEATHER_API_KEY":"${keyring:`) ||
		strings.Contains(string(o.added[0].Entry), "s3cr3t") ||
		!strings.Contains(string(o.added[0].Entry), `"WEATHER_UNITS":"celsius"`) {
		t.Fatalf("added: %s", o.added)
	}
}

// TestRegistryWays checks that each way to run a server can be chosen, and that an empty optional value leaves nothing
// in the entry.
func TestRegistryWays(t *testing.T) {
	o := newOpened(t)
	registryIn(o)
	o.show(normal, Start{})
	hybrid := recordedPage(t, "hybrid").Servers[0]
	o.take([]*candidate{fromRegistry(&hybrid, bestWay(&hybrid), true)}, nil)
	o.reads("How it runs", "X-API-Key", "https://mcp.anonymous.modelcontextprotocol.io/http")
	database := recordedPage(t, "database").Servers[0]
	c := fromRegistry(&database, bestWay(&database), true)
	for _, f := range c.fields {
		if f.required {
			f.value = "answer"
		}
	}
	server, _ := c.server("dev")
	line := strings.Join(server.Args, " ")
	if !strings.Contains(line, "--host answer answer") || strings.Contains(line, "--port") ||
		strings.Contains(line, "<") {
		t.Errorf("the command line is %s", line)
	}
}

// TestRegistryServerThatCannotBeAdded checks that the dialog says why a server cannot be added, and links to its page.
func TestRegistryServerThatCannotBeAdded(t *testing.T) {
	o := newOpened(t)
	_, asked := registryIn(o)
	o.show(normal, Start{})
	o.inRegistry()
	list := o.chooser.catalogue.registry
	list.query = "editor"
	list.ask("")
	(*asked)[0].done(recordedPage(t, "editor"), nil)
	o.reads("Text Editor", "Can't be added here")
	list.rows.OnChosen(0)
	o.reads("It is a desktop extension: download it from its page and drop the file here.")
	o.tap("Its page")
	if !slices.Contains(o.asked, "https://github.com/modelcontextprotocol/text-editor-mcpb") || o.step != stepChoose {
		t.Errorf("asked: %v", o.asked)
	}
}
