package toolboxes

import "github.com/workbench-mcp/workbench-desktop/app/model"

// awaited says what to do once a toolbox or a server appears in a View: what the user does is in the file before it is
// on the screen.
type awaited struct {
	lost    model.Choice // was selected when it disappeared; it is selected again if it comes back
	wanted  model.Choice // is selected as soon as it appears
	name    model.Choice // its name is edited as soon as it appears
	purpose model.Choice // a new toolbox: the user is asked what it is for as soon as it appears and has its name
}
