// Package model is the state of the window: what the configuration file and the engines say, and all else that the screens show.
// It consists of values and draws nothing: it does not know Fyne.
package model
