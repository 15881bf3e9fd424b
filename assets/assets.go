// Package assets holds what the program carries with it: its icons and its translations. The icons are drawn by the
// program in gen from the SVG files in src; the single-colour state icons in states are used as they are, since the
// window gives them the colour of the theme.
package assets

import (
	"embed"
)

//go:generate go run ./gen src .

// AppIcon is the program's icon, a PNG of 256 pixels.
//
//go:embed app.png
var AppIcon []byte

// The icons of the system tray, PNGs of 64 pixels. Their shapes differ, not only their colours, and they can be
// told apart at 22 pixels on a light panel and on a dark one.
var (
	//go:embed tray-well.png
	TrayWell []byte // every server in use is connected
	//go:embed tray-working.png
	TrayWorking []byte // a server is starting
	//go:embed tray-attention.png
	TrayAttention []byte // a server or the configuration needs the user
	//go:embed tray-idle.png
	TrayIdle []byte // nothing runs
)

// The same icons as black shapes, for the menu bar of macOS, which gives them its colour.
var (
	//go:embed tray-template-well.png
	TrayTemplateWell []byte
	//go:embed tray-template-working.png
	TrayTemplateWorking []byte
	//go:embed tray-template-attention.png
	TrayTemplateAttention []byte
	//go:embed tray-template-idle.png
	TrayTemplateIdle []byte
)

// States holds the single-colour icons, states/NAME.svg.
//
//go:embed states/*.svg
var States embed.FS

// Marks holds the single-colour marks of apps, services and of our own servers, marks/ID.svg. Each is filled with the
// colour of its owner. docs/dependencies.md says where they are from. Their arcs were made curves, since Fyne draws some
// arcs wrong.
//
//go:embed marks/*.svg
var Marks embed.FS

// Translations holds the texts of the window, one file a language, translations/LANGUAGE.json, in the format of
// Fyne's package lang, which is that of go-i18n.
//
//go:embed translations/??.json translations/??-*.json
var Translations embed.FS

// Words holds the sentences that have codes, translations/AREA.LANGUAGE.json, in the same format. Package words of the
// engine reads them.
//
//go:embed translations/*.*.json
var Words embed.FS

// ConfigSchema is the JSON Schema of workbench-config.json, which gives other editors completion, help and
// checks. Its $id is its address. It is written in draft-07, the newest draft that VS Code and the editors which
// share its language service support in full; of 2020-12 they ignore some keywords. The tests of engine/config
// hold that it and config.Parse agree.
//
//go:embed workbench-config.schema.json
var ConfigSchema []byte
