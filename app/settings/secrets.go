package settings

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// SecretsOf returns the secrets of the keychain that a configuration refers to, in the order of the file. It does not
// ask the keychain for them.
func SecretsOf(configuration *config.Config) []Secret {
	if configuration == nil {
		return nil
	}
	var secrets []Secret
	for _, toolbox := range configuration.Toolboxes {
		for _, server := range toolbox.Servers {
			for _, name := range server.Secrets() {
				place := kit.Way(toolbox.Name, server.Name)
				i := slices.IndexFunc(secrets, func(s Secret) bool { return s.Name == name })
				if i < 0 {
					i = len(secrets)
					secrets = append(secrets, Secret{Name: name})
				}
				if !slices.Contains(secrets[i].UsedBy, place) {
					secrets[i].UsedBy = append(secrets[i].UsedBy, place)
				}
			}
		}
	}
	return secrets
}

// secrets is the section about the keychain.
type secrets struct {
	*section
	screen *Screen
	list   *fyne.Container
	none   fyne.CanvasObject
	// by name of the secret; a row is kept while the secret is listed, so that typed text is kept
	rows  map[string]*secretRow
	order []string // the names of the secrets, in the order of the list
}

func newSecrets(screen *Screen, title string) *secrets {
	s := &secrets{screen: screen, rows: map[string]*secretRow{}}
	words := muted(lang.L("They are in the keychain of your system."))
	s.none = kit.Inset(kit.NewParagraph(
		lang.L("No server takes a secret from the keychain yet."),
		kit.TextStyle{Color: theme.ColorMuted}), kit.GapWide, kit.GapBlock)
	s.list = kit.Column(0)
	s.section = newSection(title, words,
		kit.NewFrame(kit.Column(0, s.none, s.list)))
	return s
}

// show updates the section.
func (s *secrets) show() {
	var order []string
	for _, secret := range s.screen.view.Secrets {
		order = append(order, secret.Name)
		if s.rows[secret.Name] == nil {
			s.rows[secret.Name] = newSecretRow(s.screen)
		}
		s.rows[secret.Name].show(secret)
	}
	kit.SetVisible(s.none, len(order) == 0)
	if slices.Equal(order, s.order) {
		return
	}
	s.order = order
	var rows []fyne.CanvasObject
	for _, name := range order {
		rows = append(rows, s.rows[name].root)
	}
	s.list.Objects = lined(rows...).Objects
	for name := range s.rows {
		if !slices.Contains(order, name) {
			delete(s.rows, name)
		}
	}
	s.list.Refresh()
}
