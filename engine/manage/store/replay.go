package store

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Clash is one reason why an edit could not be done on a file that somebody else changed meanwhile.
type Clash struct {
	Path   string // of the value, as in config.Diagnostic; empty for the document as a whole
	Reason string // in English

	says words.Text
}

// Conflict is the error of an edit that does not go together with what somebody else did to the file
// meanwhile. Nothing was written.
type Conflict struct {
	Label  string           // of the edit
	Base   *config.Document // what the edit was made on
	Theirs *config.Document // what is in the file
	Ours   *config.Document // what the edit made of Base
	Clash  []Clash          // at least one
}

// maxReasons is how many clashes the text of an error names.
const maxReasons = 3

// Text returns why, in any language.
func (c Clash) Text() words.Text {
	says := c.says
	if says.IsZero() {
		says = words.Foreign(c.Reason)
	}
	if c.Path == "" {
		return says
	}
	return words.New("store.clash_at", "Path", c.Path, "Why", says)
}

func clash(path string, says words.Text) Clash { return Clash{path, says.String(), says} }

// Error names what clashes.
func (c *Conflict) Error() string { return c.Text().String() }

// Text returns the same in any language.
func (c *Conflict) Text() words.Text {
	var reasons []words.Text
	for i, clash := range c.Clash {
		if i == maxReasons {
			reasons = append(reasons, words.New("store.more_clashes", "Number", len(c.Clash)-i))
			break
		}
		reasons = append(reasons, clash.Text())
	}
	return words.New("store.conflict", "File", c.Theirs.Name, "Reasons", reasons)
}

// replay does an edit, which made ours of base, on theirs. That is only done when there is no doubt
// about what is meant: what the edit touches is not what the others touched, the entries that it names are
// still the same ones, and it does to theirs what it did to base, no more and no less.
func replay(base, ours, theirs []byte, ops []Op) (result []byte, clashes []Clash) {
	if base == nil {
		base = []byte(config.Empty)
	}
	merge, err := jsonc.NewMerge(base, ours, theirs)
	if err != nil {
		return nil, []Clash{clash("", words.New("store.clash_broken"))}
	}
	if merge.Done() {
		return theirs, nil
	}
	if clashes = append(reasons(merge.Clashes()), strangers(merge)...); len(clashes) > 0 {
		return nil, clashes
	}
	if result, err = applyAll(theirs, ops); err != nil {
		return nil, []Clash{clash("", words.Of(err).Map(secret.Mask))}
	}
	differences, lost, err := merge.Check(result)
	if err != nil {
		return nil, []Clash{clash("", words.New("store.result_broken"))}
	}
	clashes = reasons(differences)
	if lost != "" {
		clashes = append(clashes, clash("", words.New("store.comment_lost", "Comment", secret.Mask(lost))))
	}
	return result, clashes
}

// reasons says in words why two changes do not go together.
func reasons(found []jsonc.Clash) []Clash {
	var clashes []Clash
	for _, c := range found {
		var says words.Text
		switch c.Kind {
		case jsonc.ClashSame:
			says = words.New("store.clash_same")
		case jsonc.ClashChanged:
			says = words.New("store.clash_changed", "Done", verb(c.Their))
		case jsonc.ClashAround:
			says = words.New("store.clash_around", "Path", c.Their.Path.String(), "Done", verb(c.Their))
		case jsonc.ClashInside:
			says = words.New("store.clash_inside", "Path", c.Their.Path.String(), "Done", verb(c.Their))
		case jsonc.ClashOrder:
			says = words.New("store.clash_order")
		case jsonc.ClashDiffers:
			says = words.New("store.clash_differs")
		case jsonc.ClashMore:
			says = words.New("store.clash_more")
		case jsonc.ClashOrderDiffers:
			says = words.New("store.clash_order_differs")
		case jsonc.ClashOrderMore:
			says = words.New("store.clash_order_more")
		}
		clashes = append(clashes, clash(c.Path.String(), says))
	}
	return clashes
}

func verb(a jsonc.Alteration) words.Text {
	switch {
	case a.Before == nil:
		return words.New("store.added")
	case a.After == nil:
		return words.New("store.removed")
	}
	return words.New("store.changed")
}

// strangers finds toolboxes and servers that the edit changes inside, and that have the name of before
// but are others now.
func strangers(merge *jsonc.Merge) []Clash {
	var clashes []Clash
	seen := map[string]bool{}
	check := func(at jsonc.Path, same func(was, is *jsonc.Node) bool, says words.Text) {
		was, is := merge.Base.Root.At(at), merge.Theirs.Root.At(at)
		if path := at.String(); was != nil && is != nil && !seen[path] && !same(was, is) {
			seen[path] = true
			clashes = append(clashes, clash(path, says))
		}
	}
	within := func(at jsonc.Path) {
		if len(at) > 3 && at[2].Key == "mcpServers" {
			check(at[:4], sameServer, words.New("store.other_server"))
		}
		if len(at) > 2 {
			check(at[:2], sameToolbox, words.New("store.other_toolbox"))
		}
	}
	for _, a := range merge.Mine.Values {
		within(a.Path)
	}
	for _, o := range merge.Mine.Orders {
		within(o.Path.Member(""))
	}
	return clashes
}

// sameServer reports whether two entries of one name are one server, started or reached in the same
// way. Servers that are started by a package runner differ in their arguments only, so these must
// have something in common.
func sameServer(a, b *jsonc.Node) bool {
	for _, key := range []string{"command", "url", "transport", "type"} {
		if !jsonc.Equal(a.Member(key), b.Member(key)) {
			return false
		}
	}
	was, is := plainArguments(a.Member("args")), plainArguments(b.Member("args"))
	if len(was) == 0 || len(is) == 0 {
		return true
	}
	return slices.ContainsFunc(was, func(word string) bool { return slices.Contains(is, word) })
}

// plainArguments returns the texts of an array that are not flags.
func plainArguments(list *jsonc.Node) []string {
	if list == nil {
		return nil
	}
	var words []string
	for _, n := range list.Children {
		if n.Kind == jsonc.String && !strings.HasPrefix(n.Str(), "-") {
			words = append(words, n.Str())
		}
	}
	return words
}

// sameToolbox reports whether two toolboxes of one name have a server's name in common, if they both
// have any.
func sameToolbox(a, b *jsonc.Node) bool {
	was, is := a.Member("mcpServers").Keys(), b.Member("mcpServers").Keys()
	if len(was) == 0 || len(is) == 0 {
		return true
	}
	return slices.ContainsFunc(was, func(name string) bool { return slices.Contains(is, name) })
}
