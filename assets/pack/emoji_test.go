package main

import (
	"bytes"
	"testing"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/google/go-cmp/cmp"
)

// What Fyne draws is the same with the packed font: which glyph a character has, how large it is, and its picture.
func TestPackEmoji(t *testing.T) {
	path, err := emojiFont()
	if err != nil {
		t.Fatal(err)
	}
	original := read(t, path)
	packed, err := packEmoji(original)
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) > len(original)*6/10 {
		t.Errorf("%d bytes were packed into %d", len(original), len(packed))
	}
	before, after := parse(t, original), parse(t, packed)
	loader, err := opentype.NewLoader(bytes.NewReader(original))
	if err != nil {
		t.Fatal(err)
	}
	glyphs, err := glyphCount(loader)
	if err != nil {
		t.Fatal(err)
	}
	pictures := 0
	for glyph := range glyphs {
		had, isPicture := before.GlyphDataSVG(glyph)
		has, _ := after.GlyphDataSVG(glyph)
		hadExtents, _ := before.GlyphExtents(glyph)
		hasExtents, _ := after.GlyphExtents(glyph)
		if !bytes.Equal(had.Source, has.Source) || had.ViewBox != has.ViewBox || hadExtents != hasExtents || before.HorizontalAdvance(glyph) != after.HorizontalAdvance(glyph) {
			t.Errorf("glyph %d is not the same", glyph)
		}
		if isPicture {
			pictures++
			continue
		}
		hadOutline, _ := before.GlyphDataOutline(glyph)
		hasOutline, _ := after.GlyphDataOutline(glyph)
		if diff := cmp.Diff(hadOutline, hasOutline); diff != "" {
			t.Errorf("the outline of glyph %d (-original +packed):\n%s", glyph, diff)
		}
	}
	if pictures < 1000 {
		t.Errorf("%d glyphs are pictures", pictures)
	}
	for character := range rune(0x20000) {
		had, _ := before.NominalGlyph(character)
		if has, _ := after.NominalGlyph(character); had != has {
			t.Errorf("%U has glyph %d instead of %d", character, has, had)
		}
	}
	if had, has := before.GSUB, after.GSUB; !cmp.Equal(len(had.Lookups), len(has.Lookups)) || len(had.Lookups) == 0 {
		t.Errorf("%d rules join glyphs, there were %d", len(has.Lookups), len(had.Lookups))
	}
}

func TestPackEmojiOfAnotherFont(t *testing.T) {
	if _, err := packEmoji([]byte("not a font")); err == nil {
		t.Error("a text was packed as a font")
	}
}

func parse(t *testing.T, file []byte) *font.Face {
	t.Helper()
	face, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return face
}
