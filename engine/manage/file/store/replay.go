package store

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Clash is a reason why an edit could not be done on a file that another program changed meanwhile.
type Clash struct {
	Path   string // of the value, as in config.Diagnostic; empty for the whole document
	Reason string // in English

	says words.Text
}

// Conflict is returned for an edit that contradicts what another program did to the file meanwhile. Nothing
// was written.
type Conflict struct {
	Theirs *config.Document // the current content of the file
	Ours   *config.Document // the result of the edit on the document on which it was made
	Clash  []Clash          // at least one
}

// maxReasons is how many clashes an error names.
const maxReasons = 3

// Text returns the reason in any language.
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

// Error names the clashes.
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

// replay does an edit, which made ours from base, on theirs. It is done only if its meaning is certain: the
// edit changes nothing that the others changed, the entries that it names are still the same, and its effect
// on theirs is the same as on base.
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

// reasons returns sentences that say why two changes contradict each other.
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

// strangers returns clashes for toolboxes and servers that the edit changes inside, and that are now
// different ones with the same name.
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

// sameServer reports whether two entries with the same name are the same server, by the way it is started or
// reached. Servers that a package runner starts differ only in their arguments, so these must have something
// in common.
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

// plainArguments returns the strings of an array that are not flags.
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

// sameToolbox reports whether two toolboxes with the same name have a server name in common. An empty toolbox
// matches any.
func sameToolbox(a, b *jsonc.Node) bool {
	was, is := a.Member("mcpServers").Keys(), b.Member("mcpServers").Keys()
	if len(was) == 0 || len(is) == 0 {
		return true
	}
	return slices.ContainsFunc(was, func(name string) bool { return slices.Contains(is, name) })
}
