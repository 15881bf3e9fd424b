package clients

import (
	"path"
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// Client is a row of the table of clients, with the methods that change its file.
type Client struct {
	client.Client
}

// form returns the client for one of its files. former is true if the file is one that only earlier versions
// of Workbench wrote.
func (c Client) form(file string) (form Client, former bool) {
	for _, former := range c.formers() {
		for _, place := range former.Places {
			if fits, _ := path.Match(path.Base(place.Path), filepath.Base(file)); fits {
				return former, true
			}
		}
	}
	return c, false
}

// as returns the client with the form of a file with this content: that of newer versions, if the content has it.
func (c Client) as(content map[string]any) Client {
	if c.Newer == nil {
		return c
	}
	var at any = content
	for _, key := range c.Newer.Key {
		object, _ := at.(map[string]any)
		at = object[key]
	}
	entries, ok := at.(map[string]any)
	if _, entry := entries["type"].(string); !ok || entry { // the name of an entry in the older form
		return c
	}
	return c.newer()
}

// newer returns the client with the form of its newer versions.
func (c Client) newer() Client {
	c.Key, c.Shape, c.Newer = c.Newer.Key, c.Newer.Shape, nil
	return c
}

// Keys returns the paths at which a file of the client has its entries; the first that exists has them.
func (c Client) Keys() [][]string {
	if c.Newer != nil {
		return [][]string{c.Newer.Key, c.Key}
	}
	return [][]string{c.Key}
}

// Forms returns the client once for each kind of file that it reads: the one that we write, those that are
// only imported from, and those that earlier versions of Workbench wrote.
func (c Client) Forms() []Client {
	return append(append([]Client{c}, c.with(c.Imports)...), c.formers()...)
}

// formers returns the client once for each kind of file that earlier versions of Workbench wrote.
func (c Client) formers() []Client { return c.with(c.Former) }

// with returns the client once for each of files, as if that were its only file.
func (c Client) with(files []client.File) []Client {
	var all []Client
	for _, file := range files {
		one := c
		one.File = file
		all = append(all, one)
	}
	return all
}

// ByID returns the client with an id.
func ByID(id string) (Client, bool) {
	found := client.Find(id, "")
	return Client{*found}, found.ID != ""
}

// All returns the clients in the order of the table.
func All() []Client {
	rows := client.All()
	all := make([]Client, len(rows))
	for i, row := range rows {
		all[i] = Client{row}
	}
	return all
}
