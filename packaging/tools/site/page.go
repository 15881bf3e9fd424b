package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// page is one page of the site.
type page struct {
	name     string // its file in the repository
	title    string
	lead     string // its first paragraph, for search engines
	body     string // HTML
	headings []heading
}

// heading is one heading below the title, and the text up to the next one.
type heading struct {
	Level       int
	ID          string
	Title, Text string
}

// anchors gives headings the same names as GitHub does, since links are written for that.
type anchors map[string]int

// Generate implements parser.IDs.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	again := a[id]
	a[id]++
	if again > 0 {
		id = fmt.Sprintf("%s-%d", id, again)
	}
	return []byte(id)
}

// Put implements parser.IDs.
func (a anchors) Put(value []byte) { a[string(value)]++ }

func readPage(root, name string) (*page, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	// Some pages have pictures for light and dark, which Markdown cannot say. All of it is our own.
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	document := markdown.Parser().Parse(text.NewReader(data),
		parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	p := &page{name: name}
	for node := document.FirstChild(); node != nil; node = node.NextSibling() {
		said := plain(node, data)
		switch node := node.(type) {
		case *ast.Heading:
			id, _ := node.AttributeString("id")
			named, _ := id.([]byte)
			if node.Level == 1 && p.title == "" {
				p.title = said
			}
			p.headings = append(p.headings, heading{Level: node.Level, ID: string(named), Title: said})
			continue
		case *ast.Paragraph:
			if p.lead == "" {
				p.lead = said
			}
		}
		if last := len(p.headings) - 1; last >= 0 {
			p.headings[last].Text += said + " "
		}
	}
	if p.title == "" {
		return nil, fmt.Errorf("%s has no title", name)
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, data, document); err != nil {
		return nil, err
	}
	// A table that is wider than a phone is moved sideways on its own.
	p.body = strings.NewReplacer("<table>", `<div class="wide"><table>`, "</table>", "</table></div>").
		Replace(b.String())
	// A name at the end of a heading can be copied as a link.
	p.body = regexp.MustCompile(`<h([2-4]) id="([^"]*)">(.*?)</h[2-4]>`).ReplaceAllString(p.body,
		`<h$1 id="$2">$3 <a class="anchor" href="#$2" aria-label="Link to this part">#</a></h$1>`)
	return p, nil
}

// plain returns the text of a node without its markup.
func plain(node ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(node, func(inner ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch inner := inner.(type) {
		case *ast.Text:
			b.Write(inner.Value(source))
			if inner.SoftLineBreak() || inner.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(inner.Value)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			lines := inner.Lines()
			for i := range lines.Len() {
				line := lines.At(i)
				b.Write(line.Value(source))
			}
		}
		if inner.Type() == ast.TypeBlock && inner != node {
			b.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
