// Package anotheruser is empty on Windows, where a test cannot run as another user.
package anotheruser
