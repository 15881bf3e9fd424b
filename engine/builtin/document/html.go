package document

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

const (
	maxHTML    = 16 << 20                    // bytes of a page that are read
	aroundMain = "Around it, the page says:" // between the main part of a page and all else
)

// fromHTML writes the page of a file as Markdown.
func fromHTML(in io.Reader, out io.Writer) error {
	content, err := io.ReadAll(io.LimitReader(in, maxHTML))
	if err != nil {
		return err
	}
	return markdown(Decode(content, "text/html"), &url.URL{}, out)
}

// fromPage writes a page of the web as Markdown. The first line of in is the address of the page.
func fromPage(in io.Reader, out io.Writer) error {
	content, err := io.ReadAll(io.LimitReader(in, maxHTML))
	if err != nil {
		return err
	}
	address, page, _ := strings.Cut(string(content), "\n")
	at, err := url.Parse(address)
	if err != nil {
		return err
	}
	return markdown(page, at, out)
}

// Decode returns a text as UTF-8, without a byte order mark. The encoding is what contentType says, the header of
// HTTP. Without that it is UTF-8 if the text can be that, and else what a page says itself, or Windows-1252. Bytes
// that are no character become U+FFFD.
func Decode(content []byte, contentType string) string {
	encoding, _, certain := charset.DetermineEncoding(content, contentType)
	isASCII := bytes.IndexFunc(content, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	if certain || isASCII || !utf8.Valid(content) {
		if decoded, err := encoding.NewDecoder().Bytes(content); err == nil {
			content = decoded
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(content), "\uFFFD"), "\uFEFF")
}

// markdown writes a page as Markdown. Relative links are made absolute, from the page's address or its base element.
func markdown(page string, at *url.URL, out io.Writer) error {
	parsed, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return fmt.Errorf("the page cannot be read: %w", err)
	}
	at = tidy(parsed, at)
	if at.Host != "" {
		beginWithMain(parsed)
	}
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		table.NewTablePlugin(
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
		),
	))
	for _, cell := range []string{"td", "th"} { // in a table that is shown as its parts
		conv.Register.RendererFor(cell, converter.TagTypeBlock, base.RenderAsPlaintextWrapper, converter.PriorityStandard)
	}
	text, err := conv.ConvertNode(parsed, converter.WithDomain(at.String()))
	if err != nil {
		return fmt.Errorf("the page cannot be read: %w", err)
	}
	_, err = out.Write(bytes.TrimSuffix(text, []byte("\n\n"+aroundMain))) // if there is nothing else
	return err
}

// tidy changes what Markdown cannot say, and returns the address from which relative links start: at, or that of the
// base element.
func tidy(page *html.Node, at *url.URL) *url.URL {
	hasBase := false // only the first base element counts
	for _, node := range slices.Collect(page.Descendants()) {
		switch node.DataAtom {
		case atom.Base:
			if to, err := at.Parse(attribute(node, "href")); err == nil && !hasBase {
				at, hasBase = to, true
			}
		case atom.Table:
			tidyTable(node)
		case atom.A:
			if strings.HasPrefix(strings.ToLower(attribute(node, "href")), "javascript:") {
				rename(node, atom.Span) // it leads nowhere
			}
		case atom.Img:
			if strings.HasPrefix(attribute(node, "src"), "data:") { // the picture itself, thousands of letters long
				*node = html.Node{Type: html.TextNode, Data: attribute(node, "alt"), Parent: node.Parent,
					PrevSibling: node.PrevSibling, NextSibling: node.NextSibling}
			}
		}
	}
	return at
}

// beginWithMain moves what a page marks as its main part to the beginning, so that a model need not read through menus
// first. If there is no heading in it, the title of the page comes before it.
func beginWithMain(page *html.Node) {
	var body *html.Node
	var parts []*html.Node
	title, headed := "", false
	for node := range page.Descendants() {
		switch {
		case node.DataAtom == atom.Body:
			body = node
		case node.DataAtom == atom.Title && node.FirstChild != nil && title == "":
			title = strings.TrimSpace(node.FirstChild.Data)
		case node.DataAtom == atom.Main || attribute(node, "role") == "main":
			parts = append(parts, node)
		}
	}
	if len(parts) != 1 || body == nil || parts[0] == body {
		return
	}
	part := parts[0]
	for node := range part.Descendants() {
		headed = headed || node.DataAtom == atom.H1
	}
	part.Parent.RemoveChild(part)
	rest := body.FirstChild
	body.InsertBefore(part, rest)
	if !headed && title != "" {
		heading := &html.Node{Type: html.ElementNode, Data: "h1", DataAtom: atom.H1}
		heading.AppendChild(&html.Node{Type: html.TextNode, Data: title})
		body.InsertBefore(heading, part)
	}
	note := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
	note.AppendChild(&html.Node{Type: html.TextNode, Data: aroundMain})
	if rest != nil {
		body.InsertBefore(note, rest)
	}
}

// attribute returns the value of an attribute, "" if there is none.
func attribute(node *html.Node, key string) string {
	for _, a := range node.Attr {
		if a.Key == key {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}
