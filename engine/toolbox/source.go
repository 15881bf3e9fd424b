package toolbox

import "context"

// Source is a Manager as the desktop app sees it over the link: it implements link.Source.
type Source struct{ *Manager }

// OpenToolbox connects the servers of a toolbox and returns when they are connected or have failed, or at the deadline.
func (s Source) OpenToolbox(ctx context.Context, toolbox string) error {
	_, err := s.Open(ctx, toolbox, nil)
	return err
}

// CloseToolbox ends the servers of a toolbox.
func (s Source) CloseToolbox(ctx context.Context, toolbox string) error {
	_, _, err := s.Close(ctx, toolbox)
	return err
}
