package tryit

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"runtime"
	"testing"
	"time"
)

// chunk returns a chunk of a RIFF file.
func chunk(id string, data []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(data)))
	return append(append(out, data...), make([]byte, len(data)%2)...)
}

func webpFile(chunks ...[]byte) []byte {
	return chunk("RIFF", append([]byte("WEBP"), bytes.Join(chunks, nil)...))
}

// canvasChunk returns a WebP chunk that states a size. exactChunk returns a WebP image of that size, in one colour.
func canvasChunk(width, height int, flags byte) []byte {
	data := []byte{flags, 0, 0, 0, byte(width - 1), byte((width - 1) >> 8), 0, byte(height - 1), byte((height - 1) >> 8),
		0}
	return chunk("VP8X", data)
}

func exactChunk(width, height int) []byte {
	size := uint32(width-1) | uint32(height-1)<<14
	// No transform, no colour cache, no groups, and five codes of one symbol.
	return chunk("VP8L", append(binary.LittleEndian.AppendUint32([]byte{0x2f}, size), 0x88, 0x88, 0x08, 0, 0, 0, 0, 0))
}

// hostilePictures returns small files that are expensive to decode.
func hostilePictures(t testing.TB) map[string][]byte {
	var gray bytes.Buffer // too large for one picture, and not for all of a result
	if err := png.Encode(&gray, image.NewGray(image.Rect(0, 0, 5000, 5000))); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"WebP of another size inside": webpFile(canvasChunk(1, 1, 0), exactChunk(16384, 16384)),
		"WebP":                        webpFile(exactChunk(16384, 16384)),
		"WebP with alpha": webpFile(canvasChunk(16384, 16384, 1<<4),
			chunk("ALPH", append([]byte{1}, exactChunk(1, 1)[13:]...)), exactChunk(1, 1)),
		"TIFF": []byte("II*\x00\xf0\xff\xff\x7f"),
		"BMP":  append([]byte("BM"), make([]byte, 60)...),
		"PNG":  gray.Bytes(),
		"SVG": []byte(
			`<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"><rect width="60000" height="60000"/></svg>`),
		"ICO": []byte("\x00\x00\x01\x00\x01\x00\x00\x00"),
	}
}

// A small hostile file must not need much memory, whatever MIME type the server gives.
func TestHostilePictures(t *testing.T) {
	for name, data := range hostilePictures(t) {
		for _, mime := range []string{"image/png", "image/webp", "image/tiff", "image/svg+xml"} {
			result := json.RawMessage(fmt.Sprintf(`{"content":[{"type":"image","mimeType":%q,"data":%q}]}`, mime,
				base64.StdEncoding.EncodeToString(data)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			block := Read(result).Blocks[0]
			runtime.ReadMemStats(&after)
			if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 8 {
				t.Errorf("%s as %s took %d MiB", name, mime, taken)
			}
			if block.Image != nil || block.Problem == "" {
				t.Errorf("%s is shown", name)
			}
		}
	}
}

// The copy of a large picture that is kept is no larger than what is shown.
func TestPicturesAreKeptSmall(t *testing.T) {
	for _, size := range []image.Point{{4000, 4000}, {5000, 300}, {20, 9000}, {1, 100_000}, {300, 200}} {
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewRGBA(image.Rectangle{Max: size})); err != nil {
			t.Fatal(err)
		}
		picture, err := decodePicture(file.Bytes(), newAllowance())
		if err != nil {
			t.Fatal(err)
		}
		kept := picture.Image.Bounds().Size()
		if kept.X > 2*pictureWidth || kept.Y > 2*pictureHeight || kept.X < 1 || kept.Y < 1 || picture.Width != size.X ||
			picture.Height != size.Y {
			t.Errorf("of %v, %v is kept, and the stated size is %d × %d", size, kept, picture.Width, picture.Height)
		}
	}
}

// Decoding ends after the allowed time. This JPEG has very many passes over the whole image, and each takes a few
// bytes.
func TestPicturesEndInTime(t *testing.T) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 4000, 4000)), nil); err != nil {
		t.Fatal(err)
	}
	frame := bytes.Index(file.Bytes(), []byte{0xff, 0xc0})
	scan := bytes.Index(file.Bytes(), []byte{0xff, 0xda})
	slow := bytes.Clone(file.Bytes()[:scan])
	slow[frame+1] = 0xc2 // progressive
	// One code of one bit: the end of a band, for the next 32,767 blocks.
	slow = append(slow, 0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0)
	pass := append([]byte{0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0}, bytes.Repeat([]byte{0}, 40)...)
	slow = append(append(slow, bytes.Repeat(pass, 200_000)...), 0xff, 0xd9)
	allowed := newAllowance()
	allowed.until = time.Now().Add(200 * time.Millisecond)
	begun := time.Now()
	_, err := decodePicture(slow, allowed)
	if took := time.Since(begun); took > 10*time.Second || err != errImageLate {
		t.Errorf("decoding took %v and ended with %v", took, err)
	}
	if _, err := decodePicture(encoded(t)["png"], allowed); err != errImageLate {
		t.Errorf("the next picture: %v", err)
	}
	block := imageBlock(base64.StdEncoding.EncodeToString(slow), "", allowed)
	if block.Problem == "" {
		t.Errorf("%q", block.Problem)
	}
}
