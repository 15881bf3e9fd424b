package document

import (
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxCell  = 500    // bytes of text in a cell of a table; a longer one is a part of the page
	maxSpans = 10_000 // cells of a table that others reach over
)

// tidyTable changes a table of a page so that Markdown can say it. A caption comes before it, and what is in a cell
// fits in a line. A table that only puts parts of a page side by side is marked, and is shown as these parts.
func tidyTable(table *html.Node) {
	var rows [][]*html.Node // their cells
	columns, layout := 0, false
	for node := range table.Descendants() {
		switch node.DataAtom {
		case atom.Tr:
			rows = append(rows, cellsOf(node))
			columns = max(columns, len(rows[len(rows)-1]))
		case atom.Td, atom.Th:
			layout = layout || length(node) > maxCell
		case atom.Table:
			layout = true
		case atom.Caption:
			defer before(table, node) // after the loop, which walks the table
		}
	}
	if layout || columns < 2 {
		table.Attr = append(table.Attr, html.Attribute{Key: "role", Val: "presentation"})
		return
	}
	spans := 0
	headed := slices.ContainsFunc(rows[0], func(cell *html.Node) bool { return cell.DataAtom == atom.Th })
	for i, row := range rows {
		for _, cell := range row {
			if !headed {
				rename(cell, atom.Td) // else the first row that has a th would come first
			}
			if spans += bound(cell, "colspan", columns)*bound(cell, "rowspan", len(rows)-i) - 1; spans > maxSpans {
				cell.Attr = nil
			}
			for _, node := range slices.Collect(cell.Descendants()) {
				flatten(node)
			}
		}
	}
}

func cellsOf(row *html.Node) (cells []*html.Node) {
	for node := range row.ChildNodes() {
		if node.DataAtom == atom.Td || node.DataAtom == atom.Th {
			cells = append(cells, node)
		}
	}
	return cells
}

// length returns how many bytes of text a node has.
func length(node *html.Node) (n int) {
	for below := range node.Descendants() {
		if below.Type == html.TextNode {
			n += len(below.Data)
		}
	}
	return n
}

// before moves the caption of a table out of it.
func before(table, caption *html.Node) {
	caption.Parent.RemoveChild(caption)
	rename(caption, atom.P)
	table.Parent.InsertBefore(caption, table)
}

// bound limits a number that an attribute has, and returns it. It is 1 by default.
func bound(node *html.Node, key string, most int) int {
	for i, a := range node.Attr {
		if n, err := strconv.Atoi(a.Val); a.Key == key && err == nil && n > 1 {
			n = min(n, most)
			node.Attr[i].Val = strconv.Itoa(n)
			return n
		}
	}
	return 1
}

// flatten makes a part of a cell one that fits in a line.
func flatten(node *html.Node) {
	switch node.DataAtom {
	case atom.Ul, atom.Ol:
		number := 0
		for item := range node.ChildNodes() {
			if item.DataAtom != atom.Li {
				continue
			}
			if number++; number > 1 {
				node.InsertBefore(&html.Node{Type: html.ElementNode, Data: "br", DataAtom: atom.Br}, item)
			}
			mark := "• "
			if node.DataAtom == atom.Ol {
				mark = fmt.Sprintf("(%d) ", number)
			}
			item.InsertBefore(&html.Node{Type: html.TextNode, Data: mark}, item.FirstChild)
			rename(item, atom.Span)
		}
		rename(node, atom.Div)
	case atom.Blockquote, atom.Pre, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		rename(node, atom.Div)
	case atom.Hr:
		rename(node, atom.Br)
	}
}

func rename(node *html.Node, to atom.Atom) { node.DataAtom, node.Data = to, to.String() }
