package tryit

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"github.com/google/go-cmp/cmp"
)

// kinds lists the kinds of the blocks of a result.
func kinds(read Result) string {
	var words []string
	for _, block := range read.Blocks {
		words = append(words, []string{"text", "json", "table", "image", "audio", "link", "file", "other"}[block.Kind])
	}
	return strings.Join(words, " ")
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ result, want string }{
		{`{"content":[{"type":"text","text":"hello"}]}`, "text"},
		{`{"content":[{"type":"text","text":" {\"a\":{\"b\":1}} "}]}`, "json"},
		{`{"content":[{"type":"text","text":"[{\"a\":1},{\"a\":2,\"b\":\"x\"}]"}]}`, "table"},
		{`{"content":[{"type":"text","text":"{\"items\":[{\"a\":1}]}"}]}`, "table"},
		{`{"content":[{"type":"text","text":"{\"items\":[{\"a\":1}],\"more\":true}"}]}`, "json"},
		{`{"content":[{"type":"text","text":"[{\"a\":[1]}]"}]}`, "json"},
		{`{"content":[{"type":"text","text":"[not json"}]}`, "text"},
		{`{"content":[{"type":"text","text":"{ \"a\": 1 }"}],"structuredContent":{"a":1}}`, "table"},
		{`{"content":[{"type":"text","text":"something else"}],"structuredContent":{"a":[1]}}`, "json text"},
		{`{"content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"resource_link","uri":"a:b","name":"x"}]}`, "audio link"},
		{`{"content":[{"type":"resource","resource":{"uri":"a:b","text":"x"}},{"type":"resource","resource":{"uri":"a:b","blob":"AAAA"}},{"type":"resource","resource":{"blob":"AAAA","mimeType":"image/png"}}]}`, "text file image"},
		{`{"content":[{"type":"hologram","x":1},7,{"type":"text","text":7},{"type":"resource"}]}`,
			"json json json json"},
		{`{"toolResult":1}`, ""},
		{`[1,2]`, "json"},
		{`nonsense`, "text"},
		{``, "text"},
	} {
		if got := kinds(Read(json.RawMessage(c.result))); got != c.want {
			t.Errorf("%s is shown as %q, want %q", c.result, got, c.want)
		}
	}
	table := Read(json.RawMessage(
		`{"content":[{"type":"text","text":"[{\"a\":12345678901234567890,\"b\":null},{\"c\":\"x\"}]"}]}`)).Blocks[0].Table
	if diff := cmp.Diff(&Table{Columns: []string{"a", "b", "c"},
		Rows: [][]string{{"12345678901234567890", "null", ""}, {"", "", "x"}}}, table); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if read := Read(json.RawMessage(`{"isError":true,"content":[]}`)); !read.Failed {
		t.Error("a failed call counts as successful")
	}
	for name, result := range results(t) {
		t.Logf("%s: %s", name, kinds(Read(json.RawMessage(result))))
	}
	if got := Read(json.RawMessage(results(t)["image"])).Blocks[1]; got.Image == nil || got.Image.Width != 20 {
		t.Errorf("the image of a well-known server cannot be shown: %s", got.Problem)
	}
}

// encoded returns an image in every format that can be shown.
func encoded(t testing.TB) map[string][]byte {
	t.Helper()
	var p, j, g bytes.Buffer
	gray := image.NewGray(image.Rect(0, 0, 3, 2))
	if err := png.Encode(&p, gray); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&j, gray, nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&g, gray, nil); err != nil {
		t.Fatal(err)
	}
	webp, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"png": p.Bytes(), "jpeg": j.Bytes(), "gif": g.Bytes(), "webp": webp}
}

func TestPictureKinds(t *testing.T) {
	for kind, data := range encoded(t) {
		allowed := newAllowance()
		allowed.pixels = 6
		picture, err := decodePicture(data, allowed)
		if err != nil || picture.Format != kind {
			t.Errorf("%s: %+v, %v", kind, picture, err)
		}
	}
	// The header has a few bytes and claims many pixels.
	header := append([]byte{}, encoded(t)["png"]...)
	binary.BigEndian.PutUint32(header[16:], 60000)
	binary.BigEndian.PutUint32(header[20:], 60000)
	binary.BigEndian.PutUint32(header[29:], crc32.ChecksumIEEE(header[12:29]))
	if _, err := decodePicture(header, newAllowance()); err != errImageBig {
		t.Errorf("an image of 3.6 gigapixels: %v", err)
	}
}

// Many images that are small enough one by one must not fill the memory together. Images that are not decoded can
// still be saved.
func TestPicturesTogether(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 4000, 4000))); err != nil {
		t.Fatal(err)
	}
	data := base64.StdEncoding.EncodeToString(file.Bytes())
	one, other := fmt.Sprintf(`{"type":"image","mimeType":"image/png","data":%q}`, data),
		fmt.Sprintf(`{"type":"resource","resource":{"mimeType":"image/png","blob":%q}}`, data)
	small := fmt.Sprintf(`{"type":"image","mimeType":"image/png","data":%q}`,
		base64.StdEncoding.EncodeToString(encoded(t)["png"]))
	read := Read(json.RawMessage(`{"content":[` + strings.Join([]string{one, other, one, other, small}, ",") + `]}`))
	var shown []bool
	for _, block := range read.Blocks {
		shown = append(shown, block.Image != nil)
		if (block.Image == nil) != (block.Problem != "") || len(block.Data) == 0 {
			t.Errorf("an image that is shown (%v) has the problem %q and %d bytes", block.Image != nil, block.Problem,
				len(block.Data))
		}
	}
	if diff := cmp.Diff([]bool{true, true, false, false, true}, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"[{\"a\":1},{\"b\":2}]"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"structuredContent":{"a":[{"b":1}]}}`))
	f.Add([]byte(`{"content":[{"type":"resource","resource":{"blob":"R0lGODlhAQABAAAAACw=","mimeType":"image/gif"}}]}`))
	for _, data := range encoded(f) {
		f.Add(fmt.Appendf(nil, `{"content":[{"type":"image","data":%q}]}`, base64.StdEncoding.EncodeToString(data)))
	}
	f.Fuzz(func(t *testing.T, result []byte) {
		read := Read(result)
		for _, block := range read.Blocks {
			if block.Table == nil {
				continue
			}
			for _, row := range block.Table.Rows {
				if len(row) != len(block.Table.Columns) {
					t.Errorf("a row of %d cells in a table of %d columns", len(row), len(block.Table.Columns))
				}
			}
		}
	})
}

func FuzzPicture(f *testing.F) {
	for _, data := range encoded(f) {
		f.Add(data)
	}
	f.Add(webpFile(canvasChunk(9, 9, 1<<4), chunk("ALPH", append([]byte{0}, make([]byte, 81)...)), exactChunk(3, 3)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if picture, err := decodePicture(data, newAllowance()); err == nil && picture.Width*picture.Height > maxPixels {
			t.Errorf("%d × %d pixels", picture.Width, picture.Height)
		}
	})
}

// A result of eight megabytes is read in the background, and drawing it must not cause a noticeable pause.
func TestBigResults(t *testing.T) {
	line := strings.Repeat("x", 119) + "\n"
	rows := strings.TrimSuffix(strings.Repeat(`{"name":"abcdef","size":12345},`, 100_000), ",")
	for name, text := range map[string]string{
		"lines": strings.Repeat(line, 8<<20/len(line)), "one line": strings.Repeat("y", 8<<20), "rows": "[" + rows + "]",
		"brackets": strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20),
	} {
		quoted, err := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
		if err != nil {
			t.Fatal(err)
		}
		d := open(t, tool("big", "", `{"type":"object"}`), fyne.NewSize(680, 600), base.VariantLight)
		begin := time.Now()
		read := Read(quoted)
		parsed := time.Since(begin)
		begin = time.Now()
		d.outcome.show(&run{key: d.view.key(), result: quoted}, read)
		d.arrange()
		d.window.Canvas().Capture()
		drawn := time.Since(begin)
		begin = time.Now()
		d.outcome.asJSON = true
		d.outcome.fill()
		d.arrange()
		d.window.Canvas().Capture()
		asJSON := time.Since(begin)
		t.Logf("%s: read in %v, drawn in %v, as JSON in %v", name, parsed, drawn, asJSON)
		if drawn > 3*time.Second || asJSON > 5*time.Second {
			t.Errorf("%s: drawn in %v, as JSON in %v", name, drawn, asJSON)
		}
		d.outcome.show(&run{key: d.view.key(), result: quoted}, read)
		if strings.Contains(d.window.Texts(), "Show all") {
			begin = time.Now()
			d.tap("Show all", 0)
			d.window.Canvas().Capture()
			t.Logf("%s: everything in %v", name, time.Since(begin))
		}
		d.tap("Copy", 0)
		if d.copied != text {
			t.Errorf("%s: %d bytes are copied, not %d", name, len(d.copied), len(text))
		}
	}
}
