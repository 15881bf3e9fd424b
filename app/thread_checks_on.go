//go:build threadchecks

package app

const threadChecks = true
