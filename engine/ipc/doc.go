// Package ipc connects the engines of one user with the desktop app: each engine has an [Agent], the app has the
// [Hub]. Over a per-user socket or named pipe the agent tells who it is, how its servers are doing, what they log and
// which calls pass through; the hub sends commands back.
//
// Nothing here may harm an engine. Without an app the agent dials again now and then; what it has to tell waits in a
// bounded queue, is dropped when the app is slow, and made good by the next snapshot. One process of the same user is
// trusted with what the other may see, and nobody else gets in; all the same both sides cap what they read.
package ipc
