package settings

// ThemeChoice is which of the two looks the window has.
type ThemeChoice string

// The choices.
const (
	ThemeSystem ThemeChoice = "system" // as the system's
	ThemeLight  ThemeChoice = "light"
	ThemeDark   ThemeChoice = "dark"
)

// Preferences are the user's choices about the app, as opposed to the configuration of servers. [DefaultPreferences] gives
// what holds before there are any.
type Preferences struct {
	Theme         ThemeChoice `json:"theme"`
	Language      string      `json:"language"` // a code such as "de"; empty: as the system
	Notifications bool        `json:"notifications"`
	LogLevel      string      `json:"logLevel"` // debug, info, warn or error
	Window        WindowSize  `json:"window"`
}

// WindowSize is how large the window was when it was last used, in Fyne's pixels; zero before.
type WindowSize struct {
	Width  float32 `json:"width"`
	Height float32 `json:"height"`
}

// DefaultPreferences are the preferences of who has chosen nothing.
func DefaultPreferences() Preferences {
	return Preferences{Theme: ThemeSystem, Notifications: true, LogLevel: "info"}
}
