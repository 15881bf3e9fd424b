package tryit

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// outcome is the card that shows how a call ended, and its result.
type outcome struct {
	page   *Page
	root   *fyne.Container
	body   *fyne.Container
	run    *run
	read   Result
	asJSON bool
}

func newOutcome(page *Page) *outcome {
	return &outcome{page: page, root: container.NewStack(), body: kit.Column(kit.GapBlock)}
}

// clear hides the card.
func (o *outcome) clear() {
	o.root.RemoveAll()
	o.root.Hide()
	o.run, o.read = nil, Result{}
}

// gone says that the result of an earlier run was not kept.
func (o *outcome) gone(r *run) {
	o.show(r, Result{})
	o.body.Objects = []fyne.CanvasObject{
		kit.NewParagraph(lang.L("The result was too big to be kept. Run the tool again to see it."),
			kit.TextStyle{Color: theme.ColorMuted})}
}

// show shows how a run ended. The objects in the card are new, so there is no Refresh here; the page arranges them
// once.
func (o *outcome) show(r *run, read Result) {
	o.run, o.read, o.asJSON = r, read, false
	state, said := r.outcome.words()
	word := kit.NewText(said, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Color: state.Color()})
	facts := []string{kit.Duration(r.took)}
	if read.Bytes > 0 {
		facts = append(facts, kit.Bytes(read.Bytes))
	}
	note := kit.NewText(kit.Facts(facts...),
		kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	head := kit.Row(kit.Gap, kit.Marked(state, word), kit.Rest(note))
	if read.Whole != "" {
		mode := kit.NewChoice(lang.L("Result"), lang.L("JSON"))
		mode.OnChosen = func(index int) {
			o.asJSON = index == 1
			o.fill()
			o.page.arrange()
		}
		head.Add(kit.NewFullChoice(mode))
	}
	o.fill()
	box := kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: state.Color(), Radius: theme.SizeCardRadius},
		kit.Inset(kit.Column(kit.GapWide, head, o.body), kit.GapWide, kit.GapBlock))
	if r.outcome == outcomeDone || r.outcome == outcomeCancelled {
		box.SetLine(theme.ColorLine)
	}
	o.root.Objects = []fyne.CanvasObject{box}
	o.root.Show()
}

// fill shows the result, either readable or as JSON.
func (o *outcome) fill() {
	o.body.Objects = nil
	add := func(part fyne.CanvasObject) { o.body.Objects = append(o.body.Objects, part) }
	switch {
	case o.asJSON:
		add(o.section("", kit.Bytes(len(o.read.Whole)), o.read.Whole, "result.json", nil, o.code(o.read.Whole)))
	case o.run.outcome == outcomeCancelled:
		add(kit.NewParagraph(lang.L("You stopped it. The server may have done a part of the work."),
			kit.TextStyle{Color: theme.ColorMuted}))
	case o.run.outcome == outcomeError:
		text, _ := clean(kit.Sentence(o.run.problem), maxPlain)
		add(o.section("", "", o.run.problem, "", nil, newReading(text, false)))
	case len(o.read.Blocks) == 0:
		add(kit.NewText(lang.L("The tool answered without any content."),
			kit.TextStyle{Color: theme.ColorMuted, Shrinks: true}))
	default:
		for i, block := range o.read.Blocks {
			if i > 0 {
				add(widget.NewSeparator())
			}
			add(o.block(block))
		}
	}
}

// section returns a part of a result, with a button to copy text, and one to save data in a file. Without a name for
// the file, the part cannot be saved. If data is nil, text is saved.
func (o *outcome) section(title, note, text, name string, data []byte, content fyne.CanvasObject) fyne.CanvasObject {
	heading := kit.NewText(title, kit.TextStyle{Bold: true, Shrinks: true})
	about := kit.NewText(note, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	line := kit.Row(kit.GapTight, kit.Rest(kit.Row(kit.Gap, heading, about)))
	if text != "" {
		line.Add(kit.NewButtonWithIcon(lang.L("Copy"), base.ContentCopyIcon(), widget.LowImportance, func() {
			o.page.program.Copy(text)
		}))
	}
	if name != "" && (data != nil || text != "") {
		line.Add(kit.NewButtonWithIcon(lang.L("Save…"), base.DocumentSaveIcon(), widget.LowImportance, func() {
			saved := data
			if saved == nil {
				saved = []byte(text) // only now, because the text may be long
			}
			o.page.program.Save(name, saved)
		}))
	}
	if content == nil {
		return line
	}
	return kit.Column(kit.GapTight, line, content)
}

func (o *outcome) block(block Block) fyne.CanvasObject {
	raw := block.Raw
	if raw == "" {
		raw = block.Text
	}
	switch block.Kind {
	case BlockText:
		return o.section(titled(block, lang.L("Text")), kit.Bytes(len(raw)), raw, "result.txt", nil, o.text(block))
	case BlockTable:
		if block.Table.Pairs {
			return o.section(titled(block, lang.L("Result")), "", raw, "result.json", nil, newPairs(block.Table))
		}
		note := lang.N("{{.Count}} rows", len(block.Table.Rows)+block.Table.More,
			map[string]any{"Count": len(block.Table.Rows) + block.Table.More})
		return o.section(titled(block, lang.L("Table")), note, raw, "result.json", nil, newTable(block.Table))
	case BlockImage:
		return o.image(block)
	case BlockAudio:
		return o.section(titled(block, lang.L("Audio")), facts(block), "", fileName(block, "audio"), block.Data, nil)
	case BlockFile:
		return o.section(titled(block, lang.L("File")), facts(block), block.URI, fileName(block, "file"), block.Data,
			o.address(block))
	case BlockLink:
		return o.section(titled(block, lang.L("Link")), facts(block), block.URI, "", nil, o.address(block))
	}
	return o.section(titled(block, lang.L("JSON")), kit.Bytes(len(raw)), raw, "result.json", nil, o.code(block.Text))
}

// titled returns the heading of a block: its name or address, or else its kind.
func titled(block Block, kind string) string {
	if block.Name != "" {
		return kit.Cut(block.Name, 80)
	}
	if block.URI != "" && block.Kind != BlockLink {
		return kit.Cut(block.URI, 120)
	}
	return kind
}

func facts(block Block) string {
	var facts []string
	if mime := kit.Cut(block.MIME, 60); mime != "" {
		facts = append(facts, mime)
	}
	if block.Kind != BlockLink {
		facts = append(facts, kit.Bytes(len(block.Data)))
	}
	return kit.Facts(facts...)
}

func (o *outcome) address(block Block) fyne.CanvasObject {
	lines := kit.Column(kit.GapHair,
		kit.NewText(block.URI, kit.TextStyle{Mono: true, Size: theme.SizeSmall, Shrinks: true}))
	if description := kit.Cut(block.Description, maxDescription); description != "" {
		lines.Add(kit.NewParagraph(description, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	return lines
}

// fileName returns a name to save the data of a block under, or "" if it has none. The ending is taken from a short
// list, because the server chooses the MIME type.
func fileName(block Block, name string) string {
	if len(block.Data) == 0 {
		return ""
	}
	endings := map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp",
		"audio/wav": ".wav", "audio/mpeg": ".mp3",
		"audio/ogg": ".ogg", "application/pdf": ".pdf", "application/gzip": ".gz", "application/zip": ".zip",
		"text/csv": ".csv"}
	if ending, ok := endings[block.MIME]; ok {
		return name + ending
	}
	return name + ".bin"
}

// Sizes of pictures, in pixels.
const (
	pictureWidth  = 560
	pictureHeight = 360
	pictureLeast  = 96 // smaller pictures are enlarged to this
)

func (o *outcome) image(block Block) fyne.CanvasObject {
	name := fileName(block, "image")
	if block.Image == nil {
		words := kit.Marked(theme.StateNotice, kit.NewParagraph(block.Problem, kit.TextStyle{Color: theme.ColorMuted}))
		return o.section(titled(block, lang.L("Image")), facts(block), "", name, block.Data, words)
	}
	picture := block.Image
	view := canvas.NewImageFromImage(picture.Image)
	view.FillMode = canvas.ImageFillContain
	width, height := float32(picture.Width), float32(picture.Height)
	scale := min(1, pictureWidth/width, pictureHeight/height)
	if width*scale < pictureLeast && height*scale < pictureLeast {
		view.ScaleMode = canvas.ImageScalePixels
		scale = min(pictureLeast/width, pictureLeast/height)
	}
	place := kit.NewNarrow(width*scale, kit.Sized(16, height*scale, view))
	note := fmt.Sprintf("%d × %d · %s · %s", picture.Width, picture.Height, strings.ToUpper(picture.Format),
		kit.Bytes(len(block.Data)))
	return o.section(titled(block, lang.L("Image")), note, "", name, block.Data, place)
}
