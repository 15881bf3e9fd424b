package add

import "github.com/workbench-mcp/workbench-desktop/app/kit"

// SpeakAgain shows the dialog in the present language of the window, with all that is typed, found and tried.
func (d *Dialog) SpeakAgain() {
	chooser, trial := d.chooser, d.trial
	kit.TakeOff(d.window.Canvas(), d.sheet)
	d.build()
	d.chooser = nil // the pages do not change the buttons before they are all there
	d.chooser = newChooser(d)
	d.chooser.continueFrom(chooser)
	if d.review != nil {
		for _, c := range d.review.candidates {
			c.speakAgain()
		}
		d.review.build()
	}
	if trial != nil {
		d.trial = newTrialPage(d, trial.Trials)
		d.trial.runner, d.trial.counted = trial.runner, trial.counted
		d.trial.runner.Program = d.trial
		kit.SetVisible(d.trial.more, trial.more.Visible())
	}
	d.show(d.step)
	d.window.Canvas().Overlays().Add(d.sheet)
	switch d.step {
	case stepChoose:
		d.chooser.focus()
	case stepReview:
		d.review.focus()
	case stepTry:
		d.focus(d.trial.done)
	}
}

// SpeakAgain shows the open dialog in the present language of the window.
func (s *Service) SpeakAgain() {
	if s.dialog != nil {
		s.dialog.SpeakAgain()
	}
}

// continueFrom takes over what is chosen and typed in an earlier chooser.
func (c *chooser) continueFrom(before *chooser) {
	follow := func(now, before *kit.Input) { now.Follow(before.Text) }
	follow(c.catalogue.search, before.catalogue.search)
	c.catalogue.choose(before.catalogue.category)
	follow(c.paste.text, before.paste.text)
	c.paste.recognise()
	if len(before.paste.refused) > 0 {
		c.paste.refuse(before.paste.refused)
	}
	follow(c.file.path, before.file.path)
	now, then := c.hand, before.hand
	now.kind.Follow(then.kind.Chosen())
	follow(now.name, then.name)
	follow(now.command, then.command)
	follow(now.args, then.args)
	follow(now.env, then.env)
	follow(now.folder, then.folder)
	follow(now.url, then.url)
	follow(now.headers, then.headers)
	now.show()
	c.choose(before.way())
}

// speakAgain takes the words of what has to be filled in, and of what was changed, in the present language.
func (c *candidate) speakAgain() {
	var fresh *candidate
	switch {
	case c.from != nil:
		fresh = fromCatalogue(*c.from)
	case c.pasted != nil && c.published == nil:
		fresh = fromEntry(c.pasted)
	default: // the words are those of whoever has published it
		return
	}
	c.notes = fresh.notes
	for i, f := range fresh.fields {
		c.fields[i].label, c.fields[i].hint = f.label, f.hint
	}
}
