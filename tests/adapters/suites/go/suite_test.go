// Six benchmarks of go test. Built with -tags slower, two of them (Copy, Chain) do 10 % more.
package suite

import "testing"

var kept uint64

func mix(steps int) uint64 {
	x := uint64(steps)
	for i := 0; i < steps; i++ {
		x = (x ^ x>>7) * 0x9e3779b97f4a7c15
	}
	return x
}

func work(b *testing.B, steps int) {
	for i := 0; i < b.N; i++ {
		kept += mix(steps)
	}
}

func BenchmarkSteady(b *testing.B) { work(b, 2000) }
func BenchmarkCopy(b *testing.B)   { work(b, 1000*percent/100) }
func BenchmarkChain(b *testing.B)  { work(b, 10000*percent/100) }
func BenchmarkSized(b *testing.B) {
	b.Run("n=500", func(b *testing.B) { work(b, 500) })
	b.Run("n=4000", func(b *testing.B) { work(b, 4000) })
}
func BenchmarkFilled(b *testing.B) { work(b, 3000) }

func TestMix(t *testing.T) {
	if mix(2) == mix(3) {
		t.Fatal("equal")
	}
}
