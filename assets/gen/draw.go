package main

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
)

// picture is one icon to be drawn.
type picture struct {
	name string // of the PNG file
	size int    // width and height in pixels
	base string // the SVG file that is drawn first
	// badge is the SVG file drawn over base, or empty. Its outline is cut out of base first, with a gap, so that
	// the badge stays apart from base on a light panel and on a dark one alike.
	badge string
	// template makes the picture black, with what is white in the badge cut out. A menu bar of macOS takes only the
	// shape.
	template bool
}

// gap is the space between a badge and what it covers, as a part of the icon's width.
const gap = 4.0 / 64

// sheet lists all icons. The tray has one picture a state, 64 pixels wide: panels scale it to what they need.
var sheet = []picture{
	{name: "app.png", size: 256, base: "app.svg"},
	{name: "app-512.png", size: 512, base: "app.svg"},
	{name: "tray-well.png", size: 64, base: "tray-box.svg", badge: "tray-badge-well.svg"},
	{name: "tray-working.png", size: 64, base: "tray-box.svg", badge: "tray-badge-working.svg"},
	{name: "tray-attention.png", size: 64, base: "tray-box.svg", badge: "tray-badge-attention.svg"},
	{name: "tray-idle.png", size: 64, base: "tray-box-idle.svg"},
	{name: "tray-template-well.png", size: 64, base: "tray-box.svg", badge: "tray-badge-well.svg", template: true},
	{name: "tray-template-working.png", size: 64, base: "tray-box.svg", badge: "tray-badge-working.svg", template: true},
	{name: "tray-template-attention.png", size: 64, base: "tray-box.svg", badge: "tray-badge-attention.svg",
		template: true},
	{name: "tray-template-idle.png", size: 64, base: "tray-box-idle.svg", template: true},
}

// draw gives the picture as a PNG file.
func (p picture) draw(source string) ([]byte, error) {
	img, err := rasterise(filepath.Join(source, p.base), p.size)
	if err != nil {
		return nil, err
	}
	if p.badge != "" {
		badge, err := rasterise(filepath.Join(source, p.badge), p.size)
		if err != nil {
			return nil, err
		}
		cutOut(img, badge, gap*float64(p.size))
		if p.template {
			cutWhite(badge)
		}
		draw.Draw(img, img.Bounds(), badge, image.Point{}, draw.Over)
	}
	if p.template {
		blacken(img)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("encoding: %w", err)
	}
	return out.Bytes(), nil
}

// rasterise draws an SVG file on a transparent square.
func rasterise(path string, size int) (*image.RGBA, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	icon, err := oksvg.ReadIconStream(file, oksvg.StrictErrorMode)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", filepath.Base(path), err)
	}
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	icon.SetTarget(0, 0, float64(size), float64(size))
	scanner := rasterx.NewScannerGV(size, size, img, img.Bounds())
	icon.Draw(rasterx.NewDasher(size, size, scanner), 1)
	return img, nil
}

// cutOut makes img transparent where mask is not, and up to radius pixels around it.
func cutOut(img, mask *image.RGBA, radius float64) {
	bounds := img.Bounds()
	reach := int(radius) + 1
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			covered := coverage(mask, x, y, reach, radius)
			at := img.PixOffset(x, y)
			for channel := range 4 {
				img.Pix[at+channel] = uint8(int(img.Pix[at+channel]) * (255 - covered) / 255)
			}
		}
	}
}

// cutWhite makes img transparent where it is white.
func cutWhite(img *image.RGBA) {
	const coloured = 96 // more than the darkest channel of any colour of a badge
	for at := 0; at < len(img.Pix); at += 4 {
		darkest := int(min(img.Pix[at], img.Pix[at+1], img.Pix[at+2]))
		left := 255 - max(0, darkest-coloured)*255/(255-coloured)
		for channel := range 4 {
			img.Pix[at+channel] = uint8(int(img.Pix[at+channel]) * left / 255)
		}
	}
}

// blacken makes img black where it is not transparent.
func blacken(img *image.RGBA) {
	for at := 0; at < len(img.Pix); at += 4 {
		img.Pix[at], img.Pix[at+1], img.Pix[at+2] = 0, 0, 0
	}
}

// coverage is how much of the pixel at x, y lies within radius of the mask, 0 to 255.
func coverage(mask *image.RGBA, x, y, reach int, radius float64) int {
	most := 0
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			if float64(dx*dx+dy*dy) > radius*radius || !(image.Point{X: x + dx, Y: y + dy}.In(mask.Bounds())) {
				continue
			}
			most = max(most, int(mask.Pix[mask.PixOffset(x+dx, y+dy)+3]))
		}
	}
	return most
}
