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
