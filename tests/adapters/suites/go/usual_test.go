//go:build !slower

package suite

const percent = 100
