package tryit

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif"  // decoders for image.Decode
	_ "image/jpeg" // …
	_ "image/png"  // …
	"strings"

	"fyne.io/fyne/v2/lang"
	_ "golang.org/x/image/webp" // …
)

// Picture is an image that has been decoded. Of one that moves it is the first frame.
type Picture struct {
	Image         image.Image
	Format        string // png, jpeg, gif or webp
	Width, Height int
}

// Caps of images. They are a server's: a few bytes can stand for gigabytes of pixels.
const (
	maxImageBytes = 24 << 20
	maxPixels     = 20_000_000 // of one
	maxAllPixels  = 40_000_000 // of all in one result, together
)

var (
	errImageBig  = errors.New("too big")
	errImageMore = errors.New("one too many")
	errImageKind = errors.New("of no kind that can be shown")
)

func imageBlock(data, mime string, pixels *int) Block {
	block := Block{Kind: BlockImage, MIME: mime, Data: decodeData(data)}
	picture, err := decodePicture(block.Data, pixels)
	switch {
	case errors.Is(err, errImageMore):
		block.Problem = lang.L("The image is not shown here, because there are too many big ones in this result.")
	case errors.Is(err, errImageBig):
		block.Problem = lang.L("The image is too big to be shown here.")
	case err != nil:
		block.Problem = lang.L("The image cannot be shown. It may be broken, or of a kind that Workbench does not know.")
	default:
		block.Image = picture
	}
	return block
}

// decodePicture decodes an image under the caps, and takes its pixels from those that are left, also when it turns out to be
// broken. Whatever the bytes are, it comes back.
func decodePicture(data []byte, left *int) (_ *Picture, err error) {
	defer func() {
		if recover() != nil {
			err = errImageKind // a decoder has stumbled over it
		}
	}()
	if len(data) > maxImageBytes {
		return nil, errImageBig
	}
	data = plainPNG(data)
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, errImageKind
	}
	if config.Width <= 0 || config.Height <= 0 {
		return nil, errImageKind
	}
	if config.Width > maxPixels/config.Height {
		return nil, errImageBig
	}
	if config.Width*config.Height > *left {
		return nil, errImageMore
	}
	*left -= config.Width * config.Height
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, errImageKind
	}
	return &Picture{Image: decoded, Format: format, Width: config.Width, Height: config.Height}, nil
}

// plainPNG takes out of a PNG what is not needed to show it, such as colour profiles and remarks. Go refuses the whole image when a
// checksum of one of these is wrong, as in an image that many servers send; other viewers don't care.
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
		// A capital letter says that the image cannot do without.
		if kind := string(chunk[4:8]); kind == "tRNS" || (kind[0] >= 'A' && kind[0] <= 'Z') {
			out = append(out, chunk...)
		}
		rest = rest[length+12:]
	}
	return append(out, rest...)
}

// decodeData decodes base64 as servers write it, with padding or without; nil when it is none.
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
