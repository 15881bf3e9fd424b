// Package ipc connects the engines of one user with the desktop app. Each engine has an [Agent], and the app
// has the [Hub]. Over a per-user socket or named pipe, the agent reports its identity, the state of its
// servers, their logs and the calls that pass through. The hub sends commands back.
//
// Nothing here may harm an engine. Without an app, the agent tries to connect at intervals. Its messages wait
// in a limited queue, are dropped if the app is slow, and are made up for by the next snapshot. Only
// processes of the same user can connect, and they trust each other with this information; nevertheless both
// sides limit what they read.
package ipc
