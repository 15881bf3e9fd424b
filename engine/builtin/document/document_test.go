package document_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/document"
)

// asReader makes the test's own program a reader of documents.
const asReader = "READ_DOCUMENT"

func TestMain(m *testing.M) {
	if kind := os.Getenv(asReader); kind != "" {
		os.Exit(document.Main(document.Kind(kind), os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func reader(kind document.Kind) (*exec.Cmd, error) {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), asReader+"="+string(kind))
	return command, nil
}

// read returns the text of a document with a name and content.
func read(t *testing.T, name string, content []byte) (string, error) {
	t.Helper()
	kind, err := document.KindOf(name, content[:min(len(content), 512)])
	if err != nil || kind == "" {
		return "", fmt.Errorf("kind %q, %w", kind, err)
	}
	return document.Text(t.Context(), reader, kind, opened(t, name, content))
}

// archive returns a ZIP archive with a file.
func archive(t testing.TB, name string, content io.Reader) []byte {
	t.Helper()
	var written bytes.Buffer
	w := zip.NewWriter(&written)
	part, err := w.Create(name)
	if err == nil {
		_, err = io.Copy(part, content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return written.Bytes()
}

// letter returns a PDF with a page that says "Dear Ada".
func letter() []byte { return page("", "BT /F1 24 Tf 20 40 Td (Dear Ada) Tj ET      ") }

// page returns a PDF with a page, which is a stream with a filter.
func page(filter, stream string) []byte {
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
		fmt.Sprintf("<</Length %d%s>>stream\n%s\nendstream", len(stream), filter, stream),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
	}
	var pdf bytes.Buffer
	pdf.WriteString("%PDF-1.4\n")
	var at []int
	for i, object := range objects {
		at = append(at, pdf.Len())
		fmt.Fprintf(&pdf, "%d 0 obj%s\nendobj\n", i+1, object)
	}
	table := pdf.Len()
	fmt.Fprintf(&pdf, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&pdf, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&pdf, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return pdf.Bytes()
}

const (
	word = `<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>Dear </w:t></w:r><w:r><w:t>Ada</w:t></w:r></w:p>` +
		`<w:p><w:r><w:t>Yours</w:t><w:tab/><w:t>Grace</w:t></w:r></w:p></w:body></w:document>`
	open = `<o:document xmlns:o="o" xmlns:t="t"><o:text><t:h>Dear</t:h><t:p>Ada<t:s/>and<t:line-break/>all</t:p></o:text></o:document>`
	// Outlook says the encoding twice, and only the header of the part is right.
	outlook = "From: j@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" +
		"<html><head><meta http-equiv=Content-Type content='text/html; charset=windows-1252'></head><body>Grüße</body>"
	email = "From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>\r\nTo: ada@example.org\r\nSubject: " +
		"Contract\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; " +
		"charset=iso-8859-1\r\n\r\nGr\xfc\xdfe\r\n" +
		"--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; " +
		"filename=contract.pdf\r\n\r\nx\r\n--b--\r\n"
)

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"letter.pdf":  {letter(), "[page 1 of 1]\nDear Ada"},
		"letter":      {letter(), "Dear Ada"},
		"letter.docx": {archive(t, "word/document.xml", strings.NewReader(word)), "Dear Ada\nYours\tGrace\n"},
		"letter.odt":  {archive(t, "content.xml", strings.NewReader(open)), "Dear\nAda and\nall\n"},
		"letter.eml":  {[]byte(email), "From: Jürgen <j@example.org>"},
		"Letter.EML":  {[]byte(email), "Grüße"},
		"mail.eml":    {[]byte(email), "[attachment: contract.pdf]"},
		"late.html":   {[]byte("<p>" + strings.Repeat("plain ", 300) + "Grüße"), "Grüße"},
		"outlook.eml": {[]byte(outlook), "Grüße"},
		"table.html":  {[]byte("<table><tr><th>a<th>b<tr><td>1<br>2<td>3|4</table>"), "| a | b |"},
		"cells.html": {[]byte("<table><caption>c</caption><tr><td>one<td><ul><li>two<li>three</ul>" +
			"<tr><th>a<th>b</table>"),
			"c\n\n|  |  |\n|---|---|\n| one | • two  <br />• three |\n| a | b |"},
		"layout.html": {[]byte("<table><tr><td>menu<td><p>one</p><ul><li>two</ul>" +
			"<table><tr><td>x<td>y</table></table>"),
			"menu\n\none\n\n- two\n\n|  |  |\n|---|---|\n| x | y |"},
		"spans.html": {[]byte("<table><tr><th colspan=1000>a<tr><td rowspan=65534>b<td>c</table>"),
			"| a |  |\n|---|---|\n| b | c |"},
		"bomb.html": {[]byte("<table>" + strings.Repeat("<tr><td rowspan=65534 colspan=1000>x<td>y", 5000) + "</table>"),
			"| x |  | y |  |\n|  |  | x | y |\n|  |  | x | y |\n"},
		"inside.html": {[]byte("<a href='JavaScript:x()'>here</a> <img alt=dot src='data:image/gif;base64,R0lG'>"),
			"here dot"},
		"bare.html": {[]byte("<a href=x.html>x</a>"), "[x](x.html)"},
		"page.html": {[]byte("<meta charset=iso-8859-1><h1>Gr\xfc\xdfe</h1><p>an <b>alle</b>"), "# Grüße\n\nan **alle**"},
	} {
		text, err := read(t, name, c.content)
		if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s has the text %q, %v; it should contain %q", name, text, err, c.want)
		}
	}
}

// spaces is an endless text.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// bomb returns a PDF whose page has one text of 700 MB.
func bomb(t *testing.T) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	begin := 0
	for _, text := range []string{"BT /F1 24 Tf (", strings.Repeat("a", 1<<20), strings.Repeat("a", 1<<20)} {
		begin = packed.Len()
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	// What follows the same text says the same again, as often as one likes.
	return page("/Filter/FlateDecode", packed.String()+strings.Repeat(packed.String()[begin:], 700))
}

// TestBadDocuments checks that a document that cannot be read is said to be so, and takes neither all memory nor for
// ever.
func TestBadDocuments(t *testing.T) {
	unpacks := archive(t, "word/document.xml",
		io.MultiReader(strings.NewReader("<w:document>"), io.LimitReader(spaces{}, 65<<20)))
	deep := strings.NewReader("<w:document>" + strings.Repeat("<w:p>", 1<<16))
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"cut.pdf":  {letter()[:200], "damaged"},
		"loop.pdf": {bytes.Replace(letter(), []byte("/Kids[3 0 R]"), []byte("/Kids[2 0 R]"), 1), "within"},
		"locked.pdf": {bytes.Replace(letter(), []byte("/Root 1 0 R"),
			[]byte("/Root 1 0 R/Encrypt<</Filter/Standard/V 9/R 9/O()/U()/P 0>>/ID[()()]"), 1), "encrypted"},
		"no.docx":      {archive(t, "other.xml", strings.NewReader("")), "no word/document.xml"},
		"broken.docx":  {[]byte("PK\x03\x04 and nothing"), "damaged"},
		"bomb.docx":    {unpacks, "64 MB"},
		"bomb.pdf":     {bomb(t), "512 MB of memory"},
		"deep.docx":    {archive(t, "word/document.xml", deep), ""},
		"table.xlsx":   {[]byte("PK\x03\x04"), "save it as CSV"},
		"old.doc":      {[]byte{0xD0, 0xCF, 0x11, 0xE0}, "save it as docx"},
		"pictures.pdf": {bytes.Replace(letter(), []byte("(Dear Ada)"), []byte("()        "), 1), "no text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // one ends by its limit of time
			text, err := read(t, name, c.content)
			// where unpacking takes longer than a reader may
			late := err != nil && strings.HasPrefix(name, "bomb") && strings.Contains(err.Error(), "within")
			if err == nil || !strings.Contains(err.Error(), c.want) && !late {
				t.Errorf("it is read as %.100q, %v; the error should contain %q", text, err, c.want)
			}
		})
	}
}

// TestReaderIsEnded checks that a reader that does not end is ended with the call.
func TestReaderIsEnded(t *testing.T) {
	never := func(document.Kind) (*exec.Cmd, error) { return exec.Command("sleep", "1000"), nil }
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip("there is no program that never ends")
	}
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := document.Text(ctx, never, document.PDF, file); err == nil {
		t.Error("a reader that was ended returns no error")
	}
}

// FuzzDocuments checks that no document ends a reader in another way than with a text or an error.
func FuzzDocuments(f *testing.F) {
	kinds := []document.Kind{document.Word, document.OpenDocument, document.Email, document.HTML, "page"}
	for i, seed := range []string{
		word, open, email, "<table><tr><td rowspan=2><ul><li>x</ul><td>y</table><pre>z</pre>",
		"https://example.org/a\n<base href=/b/><a href=c><img src=d></a>",
	} {
		f.Add(uint8(i), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		kind := kinds[int(which)%len(kinds)]
		switch kind {
		case document.Word:
			content = archive(t, "word/document.xml", bytes.NewReader(content))
		case document.OpenDocument:
			content = archive(t, "content.xml", bytes.NewReader(content))
		}
		file := opened(t, "document", content)
		var text, problem strings.Builder
		status := document.Main(kind, file, &text, &problem)
		if status != 0 && problem.Len() == 0 {
			t.Errorf("the status is %d, without a reason", status)
		}
	})
}

// FuzzPDF is the same for PDF. Each is read by a process of its own, since reading some takes all time.
func FuzzPDF(f *testing.F) {
	f.Add(letter())
	f.Fuzz(func(t *testing.T, content []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // so that the fuzzer can end
		defer cancel()
		_, _ = document.Text(ctx, reader, document.PDF, opened(t, "document.pdf", content))
	})
}

// opened returns an open file with a content.
func opened(t *testing.T, name string, content []byte) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}
