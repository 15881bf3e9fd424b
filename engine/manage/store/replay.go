package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// Clash is one reason why an edit could not be done on a file that somebody else changed meanwhile.
type Clash struct {
	Path   string // of the value, as in config.Diagnostic; empty for the document as a whole
	Reason string
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

// Error names what clashes.
func (c *Conflict) Error() string {
	var reasons []string
	for i, clash := range c.Clash {
		if i == maxReasons {
			reasons = append(reasons, fmt.Sprintf("and %d more", len(c.Clash)-i))
			break
		}
		reason := clash.Reason
		if clash.Path != "" {
			reason = clash.Path + ": " + reason
		}
		reasons = append(reasons, reason)
	}
	return fmt.Sprintf("%s was changed by another program meanwhile, and the edit does not fit it any more (%s); look at the file as it is now and make the edit again",
		c.Theirs.Name, strings.Join(reasons, "; "))
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
		return nil, []Clash{{"", "one of the versions has syntax errors"}}
	}
	if merge.Done() {
		return theirs, nil
	}
	if clashes = append(reasons(merge.Clashes()), strangers(merge)...); len(clashes) > 0 {
		return nil, clashes
	}
	if result, err = applyAll(theirs, ops); err != nil {
		return nil, []Clash{{"", secret.Mask(err.Error())}}
	}
	differences, lost, err := merge.Check(result)
	if err != nil {
		return nil, []Clash{{"", "the result would have syntax errors"}}
	}
	clashes = reasons(differences)
	if lost != "" {
		clashes = append(clashes, Clash{"", "a comment that was added meanwhile would be lost: " + secret.Mask(lost)})
	}
	return result, clashes
}

// reasons says in words why two changes do not go together.
func reasons(found []jsonc.Clash) []Clash {
	var clashes []Clash
	for _, c := range found {
		reason := ""
		switch c.Kind {
		case jsonc.ClashSame:
			reason = "the same was done already"
		case jsonc.ClashChanged:
			reason = "it was " + verb(c.Their) + " meanwhile"
		case jsonc.ClashAround:
			reason = c.Their.Path.String() + " was " + verb(c.Their) + " meanwhile"
		case jsonc.ClashInside:
			reason = "something in it, " + c.Their.Path.String() + ", was " + verb(c.Their) + " meanwhile"
		case jsonc.ClashOrder:
			reason = "it was put into another order meanwhile"
		case jsonc.ClashDiffers:
			reason = "the edit would do something else to it now"
		case jsonc.ClashMore:
			reason = "the edit would change it too now"
		case jsonc.ClashOrderDiffers:
			reason = "the order would be another one now"
		case jsonc.ClashOrderMore:
			reason = "the edit would change the order too now"
		}
		clashes = append(clashes, Clash{c.Path.String(), reason})
	}
	return clashes
}

func verb(a jsonc.Alteration) string {
	switch {
	case a.Before == nil:
		return "added"
	case a.After == nil:
		return "removed"
	}
	return "changed"
}

// strangers finds toolboxes and servers that the edit changes inside, and that have the name of before
// but are others now.
func strangers(merge *jsonc.Merge) []Clash {
	var clashes []Clash
	seen := map[string]bool{}
	check := func(at jsonc.Path, same func(was, is *jsonc.Node) bool, reason string) {
		was, is := merge.Base.Root.At(at), merge.Theirs.Root.At(at)
		if path := at.String(); was != nil && is != nil && !seen[path] && !same(was, is) {
			seen[path] = true
			clashes = append(clashes, Clash{path, reason})
		}
	}
	within := func(at jsonc.Path) {
		if len(at) > 3 && at[2].Key == "mcpServers" {
			check(at[:4], sameServer, "it is another server now")
		}
		if len(at) > 2 {
			check(at[:2], sameToolbox, "it is another toolbox now: none of its servers is left")
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
	was, is := words(a.Member("args")), words(b.Member("args"))
	if len(was) == 0 || len(is) == 0 {
		return true
	}
	return slices.ContainsFunc(was, func(word string) bool { return slices.Contains(is, word) })
}

// words returns the texts of an array that are not flags.
func words(list *jsonc.Node) []string {
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
