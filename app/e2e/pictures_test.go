//go:build linux

package e2e

import (
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// pictures is a folder for pictures of the window, such as those of the user guide; by default none are taken.
var pictures = flag.String("pictures", "", "take pictures of the window into this `folder`")

// picture takes a picture of the display, if pictures are wanted.
func (s *session) picture(t *testing.T, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	time.Sleep(700 * time.Millisecond) // what moves has come to rest
	img, err := s.screen()
	if err != nil {
		t.Fatal(err)
	}
	cut := image.NewRGBA(img.Bounds())
	draw.Draw(cut, cut.Bounds(), img, image.Point{}, draw.Src)
	file, err := os.Create(filepath.Join(*pictures, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, cut); err != nil {
		t.Fatal(err)
	}
}
