package document

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// maxPart limits the part of an archive that is read, in uncompressed bytes.
const maxPart = 64 << 20

// fromArchive writes the text of a document that is a ZIP archive. part is the XML file in it, and text writes the
// text of that.
func fromArchive(in io.ReaderAt, size int64, part string, text func(*xml.Decoder, io.Writer) error,
	out io.Writer) error {
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return fmt.Errorf("the document is damaged, or encrypted: %w", err)
	}
	content, err := archive.Open(part)
	if err != nil {
		return fmt.Errorf("the document has no %s; it is damaged, encrypted or of another kind", part)
	}
	defer content.Close()
	bounded := &io.LimitedReader{R: content, N: maxPart}
	decoder := xml.NewDecoder(bounded)
	err = text(decoder, out)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case bounded.N <= 0:
		return fmt.Errorf("the document has more than %d MB unpacked", maxPart>>20)
	case err != nil:
		return fmt.Errorf("the document is damaged: %w", err)
	}
	return nil
}

// wordText writes the text of a Word document (WordprocessingML, ECMA-376 part 1, section 17).
func wordText(decoder *xml.Decoder, out io.Writer) error {
	inText := false
	for {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "t":
				inText = true
			case "tab":
				_, err = io.WriteString(out, "\t")
			case "br", "cr":
				_, err = io.WriteString(out, "\n")
			}
		case xml.EndElement:
			switch token.Name.Local {
			case "t":
				inText = false
			case "p":
				_, err = io.WriteString(out, "\n")
			case "tc": // a cell of a table
				_, err = io.WriteString(out, "\t")
			}
		case xml.CharData:
			if inText {
				_, err = out.Write(token)
			}
		}
		if err != nil {
			return err
		}
	}
}

// openText writes the text of an OpenDocument (ODF 1.3 part 3, sections 5 and 6).
func openText(decoder *xml.Decoder, out io.Writer) error {
	depth := 0 // of paragraphs and headings; text outside is layout
	for {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "p", "h":
				depth++
			case "tab":
				_, err = io.WriteString(out, "\t")
			case "line-break":
				_, err = io.WriteString(out, "\n")
			case "s":
				_, err = io.WriteString(out, " ")
			case "annotation", "tracked-changes":
				err = decoder.Skip()
			}
		case xml.EndElement:
			switch token.Name.Local {
			case "p", "h":
				depth--
				_, err = io.WriteString(out, "\n")
			case "table-cell":
				_, err = io.WriteString(out, "\t")
			}
		case xml.CharData:
			if depth > 0 {
				_, err = out.Write(token)
			}
		}
		if err != nil {
			return err
		}
	}
}
