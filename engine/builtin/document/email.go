package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	_ "github.com/emersion/go-message/charset" // e-mails have all encodings
	"github.com/emersion/go-message/mail"
)

// maxBody is how many bytes of a part of an e-mail are read.
const maxBody = 8 << 20

// fromEmail writes who wrote an e-mail to whom, its text, and the names of its attachments.
func fromEmail(in io.Reader, out io.Writer) error {
	message, err := mail.CreateReader(in)
	if message == nil {
		return fmt.Errorf("the e-mail is damaged: %w", err)
	}
	for _, name := range []string{"From", "To", "Cc", "Date", "Subject"} {
		if value, err := message.Header.Text(name); err == nil && value != "" {
			fmt.Fprintf(out, "%s: %s\n", name, value)
		}
	}
	var plain, marked bytes.Buffer
	var attachments []string
	for range 1000 {
		part, err := message.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if part == nil {
			return fmt.Errorf("the e-mail is damaged: %w", err)
		}
		switch header := part.Header.(type) {
		case *mail.InlineHeader:
			kind, _, _ := header.ContentType()
			body := io.LimitReader(part.Body, maxBody)
			if kind == "text/html" {
				err = fromHTML(body, &marked)
			} else if strings.HasPrefix(kind, "text/") || kind == "" {
				_, err = io.Copy(&plain, body)
			}
			if err != nil {
				fmt.Fprintf(&plain, "\n[a part cannot be read: %v]\n", err)
			}
		case *mail.AttachmentHeader:
			name, _ := header.Filename()
			attachments = append(attachments, name)
		}
	}
	// Most e-mails say the same twice.
	text := plain.String()
	if strings.TrimSpace(text) == "" {
		text = marked.String()
	}
	fmt.Fprintf(out, "\n%s\n", text)
	for _, name := range attachments {
		fmt.Fprintf(out, "[attachment: %s]\n", name)
	}
	return nil
}
