package tryit

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"
	"golang.org/x/image/draw"
	"golang.org/x/image/riff"
	"golang.org/x/image/vp8"
	"golang.org/x/image/vp8l"
	"golang.org/x/image/webp"
)

// Picture is a decoded image. If the image is animated, it is the first frame.
type Picture struct {
	Image         image.Image // made smaller by shrunk
	Format        string      // png, jpeg, gif or webp
	Width, Height int         // in pixels, before it was made smaller
}

// Limits of images. Images come from servers, and a few bytes can stand for gigabytes of pixels.
const (
	maxImageBytes = 24 << 20
	maxPixels     = 20_000_000      // of one image
	maxAllPixels  = 40_000_000      // of all images in a result
	maxDecoding   = 5 * time.Second // for all images in a result
)

var (
	errImageBig  = errors.New("too big")
	errImageMore = errors.New("one too many")
	errImageLate = errors.New("too slow")
	errImageKind = errors.New("of no kind that can be shown")
)

// allowance is how many pixels and how much time are left for the images of a result.
type allowance struct {
	pixels int
	until  time.Time
}

func newAllowance() *allowance { return &allowance{maxAllPixels, time.Now().Add(maxDecoding)} }

func imageBlock(data, mime string, allowed *allowance) Block {
	block := Block{Kind: BlockImage, MIME: mime, Data: decodeData(data)}
	picture, err := decodePicture(block.Data, allowed)
	if err != nil {
		block.Problem = lang.L("This cannot be shown")
		return block
	}
	block.Image = picture
	return block
}

// format is a kind of image that can be shown. A kind is found by the first bytes of the image, and each has one
// decoder. image.Decode would use every decoder that any library of the program has registered.
type format struct {
	name, begins string
	config       func(io.Reader) (image.Config, error)
	decode       func(io.Reader) (image.Image, error)
}

func formatOf(data []byte) (format, bool) {
	for _, f := range []format{
		{"png", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
		{"jpeg", "\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
		{"gif", "GIF87a", gif.DecodeConfig, gif.Decode},
		{"gif", "GIF89a", gif.DecodeConfig, gif.Decode},
		{"webp", "RIFF", webpConfig, webp.Decode},
	} {
		if bytes.HasPrefix(data, []byte(f.begins)) {
			return f, true
		}
	}
	return format{}, false
}

// decodePicture decodes an image within the limits. It subtracts the pixels from the allowance even if the image is
// broken. It never panics.
func decodePicture(data []byte, allowed *allowance) (_ *Picture, err error) {
	source := &timedReader{until: allowed.until}
	defer func() {
		panicked := recover() != nil // recover also if the time is over, since a decoder may panic because of that
		switch {
		case source.late:
			err = errImageLate
		case panicked:
			err = errImageKind
		}
	}()
	if len(data) > maxImageBytes {
		return nil, errImageBig
	}
	data = plainPNG(data)
	kind, ok := formatOf(data)
	if !ok {
		return nil, errImageKind
	}
	source.Reset(data)
	config, err := kind.config(source)
	if err != nil {
		return nil, errImageKind
	}
	if config.Width <= 0 || config.Height <= 0 {
		return nil, errImageKind
	}
	if config.Width > maxPixels/config.Height {
		return nil, errImageBig
	}
	if config.Width*config.Height > allowed.pixels {
		return nil, errImageMore
	}
	allowed.pixels -= config.Width * config.Height
	source.Reset(data)
	decoded, err := kind.decode(source)
	if err != nil || decoded.Bounds().Dx() > config.Width || decoded.Bounds().Dy() > config.Height {
		return nil, errImageKind
	}
	return &Picture{Image: shrunk(decoded), Format: kind.name, Width: config.Width, Height: config.Height}, nil
}

// timedReader returns an error after a time. Decoders read while they work, and the limit of pixels limits their work
// between two reads. Each Read returns few bytes, because a few bytes of a JPEG can mean work on all of its pixels.
type timedReader struct {
	bytes.Reader
	until time.Time
	late  bool
}

func (r *timedReader) Read(p []byte) (int, error) {
	if r.expired() {
		return 0, errImageLate
	}
	return r.Reader.Read(p[:min(len(p), 256)])
}

// ReadByte is used by some decoders instead of Read.
func (r *timedReader) ReadByte() (byte, error) {
	if r.Len()%1024 == 0 && r.expired() {
		return 0, errImageLate
	}
	return r.Reader.ReadByte()
}

func (r *timedReader) expired() bool {
	r.late = r.late || time.Now().After(r.until)
	return r.late
}

// shrunk returns a copy of an image. The copy is no larger than needed on a display with two pixels for each unit of
// Fyne. Decoders return images of many types, and the image of a broken file can panic when a pixel is read. Because
// of the copy, it panics here and not while the window is drawn.
func shrunk(decoded image.Image) image.Image {
	from := decoded.Bounds()
	scale := min(1, 2*pictureWidth/float64(from.Dx()), 2*pictureHeight/float64(from.Dy()))
	size := image.Rect(0, 0, max(1, int(float64(from.Dx())*scale)), max(1, int(float64(from.Dy())*scale)))
	small := image.NewNRGBA(size)
	if scale == 1 {
		draw.Draw(small, size, decoded, from.Min, draw.Src)
	} else {
		draw.BiLinear.Scale(small, size, decoded, from, draw.Src, nil)
	}
	return small
}

// webpConfig returns the size of the image that webp.Decode would decode. webp.DecodeConfig returns the first size in
// the file, but the image itself may have another one.
func webpConfig(r io.Reader) (canvas image.Config, err error) {
	_, chunks, err := riff.NewReader(r)
	if err != nil {
		return canvas, err
	}
	for {
		id, length, data, err := chunks.Next()
		if err != nil {
			return canvas, err
		}
		var size image.Config
		switch string(id[:]) {
		case "VP8X":
			var says [10]byte
			if _, err := io.ReadFull(data, says[:]); err != nil {
				return canvas, err
			}
			canvas.Width = 1 + int(says[4]) + int(says[5])<<8 + int(says[6])<<16
			canvas.Height = 1 + int(says[7]) + int(says[8])<<8 + int(says[9])<<16
			continue
		case "VP8 ":
			decoder := vp8.NewDecoder()
			decoder.Init(data, int(length))
			header, err := decoder.DecodeFrameHeader()
			if err != nil {
				return canvas, err
			}
			size.Width, size.Height = header.Width, header.Height
		case "VP8L":
			if size, err = vp8l.DecodeConfig(data); err != nil {
				return canvas, err
			}
		default:
			continue
		}
		if canvas.Width != 0 && (size.Width != canvas.Width || size.Height != canvas.Height) {
			return canvas, errImageKind
		}
		return size, nil
	}
}

// plainPNG removes from a PNG what is not needed to show it, such as colour profiles and comments. Go refuses the
// whole image if a checksum of one of these is wrong. Images of some servers have this mistake, and other viewers
// accept them.
func plainPNG(data []byte) []byte {
	const signature = "\x89PNG\r\n\x1a\n"
	rest, ok := bytes.CutPrefix(data, []byte(signature))
	if !ok {
		return data
	}
	out := append(make([]byte, 0, len(data)), signature...)
	for len(rest) >= 12 {
		length := int(binary.BigEndian.Uint32(rest))
		if length > len(rest)-12 {
			break
		}
		chunk := rest[:length+12]
		// A chunk whose name begins with a capital letter is needed to show the image. A tRNS chunk says what is
		// transparent.
		if kind := string(chunk[4:8]); kind == "tRNS" || (kind[0] >= 'A' && kind[0] <= 'Z') {
			out = append(out, chunk...)
		}
		rest = rest[length+12:]
	}
	return append(out, rest...)
}

// decodeData decodes base64, with or without padding and in both alphabets. It returns nil if text is not base64.
func decodeData(text string) []byte {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == ' ' {
			return -1
		}
		return r
	}, text)
	text = strings.TrimRight(text, "=")
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if data, err := encoding.DecodeString(text); err == nil {
			return data
		}
	}
	return nil
}
