package document

import (
	"fmt"
	"io"

	"github.com/JohannesKaufmann/html-to-markdown/v2"
	"golang.org/x/net/html/charset"
)

// maxHTML is how many bytes of a page are read.
const maxHTML = 16 << 20

// fromHTML writes a page as Markdown.
func fromHTML(in io.Reader, out io.Writer) error {
	decoded, err := charset.NewReader(io.LimitReader(in, maxHTML), "text/html")
	if err != nil {
		return fmt.Errorf("the page has an unknown encoding: %w", err)
	}
	text, err := htmltomarkdown.ConvertReader(decoded)
	if err != nil {
		return fmt.Errorf("the page cannot be read: %w", err)
	}
	_, err = out.Write(text)
	return err
}
