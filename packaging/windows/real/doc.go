// Package real tries on a real Windows what Wine cannot show, with the setup that packaging/windows/build makes.
// It changes the computer, so it runs only where WORKBENCH_SETUP names the setup: in .github/workflows/ci.yml, or
// on a computer that is for this alone. Each step prints one line.
package real
