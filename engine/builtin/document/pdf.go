package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ledongthuc/pdf"
)

// fromPDF writes the text of a PDF, with a line before each page.
func fromPDF(in io.ReaderAt, size int64, out io.Writer) error {
	reader, err := pdf.NewReader(in, size)
	if err != nil && encrypted(in, size) {
		return errors.New("the PDF is encrypted, and its text cannot be read without the password")
	}
	if err != nil {
		return fmt.Errorf("the PDF is damaged: %w", err)
	}
	found := false
	pages := reader.NumPage()
	for number := 1; number <= pages; number++ {
		page := reader.Page(number)
		if page.V.IsNull() {
			continue
		}
		text, err := page.GetPlainText(nil)
		if err != nil {
			text = fmt.Sprintf("[this page cannot be read: %v]", err)
		}
		found = found || strings.TrimSpace(text) != ""
		if _, err := fmt.Fprintf(out, "[page %d of %d]\n%s\n", number, pages, strings.TrimSpace(text)); err != nil {
			return err
		}
	}
	if !found {
		return errors.New("the PDF has no text; its pages may be pictures, as a scanner makes them")
	}
	return nil
}

// encrypted reports whether a PDF that cannot be opened says that it is encrypted. That stands in its trailer, at the
// end (ISO 32000-1, section 7.5.5).
func encrypted(in io.ReaderAt, size int64) bool {
	end := make([]byte, min(size, 64<<10))
	n, _ := in.ReadAt(end, size-int64(len(end)))
	return bytes.Contains(end[:n], []byte("/Encrypt"))
}
