package model

// Opened is what the user has opened, chosen and looked for in the window. What is typed for servers is in [Drafts].
// Opened lasts longer than the screens: after a change of the language they are made again, and show it.
type Opened struct {
	Toolboxes OpenedToolboxes    // changed by toolboxes.Screen
	Tab       Tab                // of the server that is shown; changed by editor.Screen
	Calls     OpenedCalls        // changed by activity.Screen
	Noted     map[string]bool    // whether "Good to know" is shown, by the ID of the AI app; changed by clients.Screen
	History   bool               // the history is shown in place of the text of the file; changed by file.Screen
	Scrolled  map[string]float32 // how far each screen is scrolled, by place; changed by frame.Places
	Advanced  bool               // the settings that few people need are shown; changed by settings.Screen
}

// OpenedToolboxes is what is open and selected among the toolboxes.
type OpenedToolboxes struct {
	Selected Choice
	Entered  bool            // the right side shows the selected server
	Folded   map[string]bool // the folded toolboxes, by name
	Search   string
	Unused   bool // Search is the words for unused servers
}

// OpenedCalls is which calls are shown.
type OpenedCalls struct {
	Filter CallFilter
	Call   *CallKey // the call whose details are shown, or nil
}

// CallFilter says which calls are listed.
type CallFilter struct {
	Text    string // each word of it must be in the call
	Outcome int    // the place of the chosen outcome among those that can be chosen
}

// Tab is one of the three tabs of a server, or the JSON, which is shown in place of Setup.
type Tab int

// The tabs of a server.
const (
	TabTools Tab = iota
	TabSetup
	TabLog
	TabJSON
)
