package main

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// The pictures in the repository are those that the sources give: nobody edits one without the other.
func TestIconsMatchTheirSources(t *testing.T) {
	for _, picture := range sheet {
		t.Run(picture.name, func(t *testing.T) {
			drawn, err := picture.draw(filepath.Join("..", "src"))
			if err != nil {
				t.Fatal(err)
			}
			kept, err := os.ReadFile(filepath.Join("..", picture.name))
			if err != nil {
				t.Fatal(err)
			}
			got, want := decode(t, drawn), decode(t, kept)
			if got.Bounds() != want.Bounds() {
				t.Fatalf("the icon is %v, the one drawn from the source %v", want.Bounds(), got.Bounds())
			}
			if far := farthest(got, want); far > 2 {
				t.Errorf("the icon is not what its source gives (a channel differs by %d of 255): run go generate ./assets", far)
			}
		})
	}
}

// A tray icon says its state by its shape, so that it can be read without telling colours apart.
func TestTrayStatesDifferInShape(t *testing.T) {
	for _, template := range []bool{false, true} {
		trayStatesDiffer(t, template)
	}
}

func trayStatesDiffer(t *testing.T, template bool) {
	t.Helper()
	shapes := map[string]image.Image{}
	for _, picture := range sheet {
		if picture.size != 64 || picture.template != template {
			continue
		}
		data, err := picture.draw(filepath.Join("..", "src"))
		if err != nil {
			t.Fatal(err)
		}
		shapes[picture.name] = decode(t, data)
	}
	if len(shapes) != 4 {
		t.Fatalf("there are %d tray icons, want 4", len(shapes))
	}
	for a, first := range shapes {
		for b, second := range shapes {
			if a < b && brightnessDifference(first, second) < 64*64/25 {
				t.Errorf("%s and %s differ in too few pixels to be told apart without colour", a, b)
			}
		}
	}
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// farthest is the largest difference of one colour channel between two pictures of one size, 0 to 255. Rounding
// differs a little between processors.
func farthest(a, b image.Image) int {
	most := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, a1 := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}, {a1, a2}} {
				difference := int(pair[0]>>8) - int(pair[1]>>8)
				most = max(most, difference, -difference)
			}
		}
	}
	return most
}

// brightnessDifference counts the pixels whose grey value on a white panel differs clearly.
func brightnessDifference(a, b image.Image) int {
	count := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			difference := grey(a, x, y) - grey(b, x, y)
			if difference > 60 || difference < -60 {
				count++
			}
		}
	}
	return count
}

func grey(img image.Image, x, y int) int {
	r, g, b, alpha := img.At(x, y).RGBA()
	return int((r*299+g*587+b*114)/1000+(0xffff-alpha)) >> 8
}
