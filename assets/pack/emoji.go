package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// emojiFont returns the path of the font for emoji that comes with Fyne.
func emojiFont() (string, error) {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "fyne.io/fyne/v2").Output()
	if err != nil {
		return "", fmt.Errorf("looking for Fyne: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(folder)), "theme", "font", "EmojiOneColor.otf"), nil
}

// packEmoji makes the font for emoji half as large. The font has each picture twice: as SVG, which Fyne draws, and as an
// outline for programs that do not know SVG, of which Fyne uses only the extents. So a rectangle takes the place of the
// outline. Glyphs without SVG keep theirs.
func packEmoji(original []byte) ([]byte, error) {
	loader, err := opentype.NewLoader(bytes.NewReader(original))
	if err != nil {
		return nil, err
	}
	face, err := font.ParseTTF(bytes.NewReader(original))
	if err != nil {
		return nil, err
	}
	glyphs, err := glyphCount(loader)
	if err != nil {
		return nil, err
	}
	var outlines [][]byte
	for glyph := range glyphs {
		outline, ok := face.GlyphDataOutline(glyph)
		if !ok {
			return nil, errors.New("the outlines of the font are not CFF")
		}
		if _, hasPicture := face.GlyphDataSVG(glyph); hasPicture {
			extents, _ := face.GlyphExtents(glyph)
			outline.Segments = rectangle(extents)
		}
		outlines = append(outlines, charstring(outline.Segments))
	}
	var kept []opentype.Table
	for _, tag := range loader.Tables() {
		content, err := loader.RawTable(tag)
		if err != nil {
			return nil, err
		}
		switch tag.String() {
		case "CFF ":
			content = compactFont(outlines)
		case "DSIG": // the signature of the original
			continue
		}
		kept = append(kept, opentype.Table{Tag: tag, Content: content})
	}
	return opentype.WriteTTF(kept), nil
}

func glyphCount(loader *opentype.Loader) (opentype.GID, error) {
	table, err := loader.RawTable(opentype.MustNewTag("maxp"))
	if err != nil {
		return 0, err
	}
	profile, _, err := tables.ParseMaxp(table)
	return opentype.GID(profile.NumGlyphs), err
}

// rectangle returns an outline with the given extents.
func rectangle(extents opentype.GlyphExtents) []opentype.Segment {
	left, top := extents.XBearing, extents.YBearing
	right, bottom := left+extents.Width, top+extents.Height
	path := []opentype.Segment{{Op: opentype.SegmentOpMoveTo}, {Op: opentype.SegmentOpLineTo}, {Op: opentype.SegmentOpLineTo}, {Op: opentype.SegmentOpLineTo}}
	for i, corner := range []opentype.SegmentPoint{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}} {
		path[i].Args[0] = corner
	}
	return path
}

// charstring writes an outline as a Type 2 charstring (Adobe Technical Note 5177). Its points are whole numbers, as those of
// the font are.
func charstring(outline []opentype.Segment) (code []byte) {
	const rmoveto, rlineto, rrcurveto, endchar = 21, 5, 8, 14
	var at opentype.SegmentPoint
	for _, segment := range outline {
		operator := byte(rmoveto)
		switch segment.Op {
		case opentype.SegmentOpLineTo:
			operator = rlineto
		case opentype.SegmentOpCubeTo:
			operator = rrcurveto
		}
		for _, point := range segment.ArgsSlice() {
			for _, step := range []float32{point.X - at.X, point.Y - at.Y} {
				code = binary.BigEndian.AppendUint16(append(code, 28), uint16(int16(step)))
			}
			at = point
		}
		code = append(code, operator)
	}
	return append(code, endchar)
}

// compactFont writes a CFF table (Adobe Technical Note 5176) that has only what a renderer needs to find the outlines.
func compactFont(outlines [][]byte) []byte {
	table := []byte{1, 0, 4, 4}
	table = append(table, index([]byte("Emoji"))...)
	const number, charStrings = 29, 17
	directory := append(binary.BigEndian.AppendUint32([]byte{number}, 0), charStrings)
	empty := index()
	offset := len(table) + len(index(directory)) + 2*len(empty) // after the strings and the subroutines
	binary.BigEndian.PutUint32(directory[1:], uint32(offset))
	table = append(table, index(directory)...)
	return append(append(append(table, empty...), empty...), index(outlines...)...)
}

// index writes the INDEX of a CFF table: a list of byte strings.
func index(entries ...[]byte) []byte {
	list := binary.BigEndian.AppendUint16(nil, uint16(len(entries)))
	if len(entries) == 0 {
		return list
	}
	list = append(list, 4) // bytes of each offset
	offset := uint32(1)
	for _, entry := range entries {
		list = binary.BigEndian.AppendUint32(list, offset)
		offset += uint32(len(entry))
	}
	list = binary.BigEndian.AppendUint32(list, offset)
	return append(list, bytes.Join(entries, nil)...)
}

// readEmoji reads the font of Fyne and packs it.
func readEmoji() ([]byte, error) {
	path, err := emojiFont()
	if err != nil {
		return nil, err
	}
	original, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return packEmoji(original)
}
