// Benchmarks of Go code. `go build -o suite . && ./suite` alone, or `tare bench ./suite`.
package main

import (
	"fmt"
	"math/rand"
	"sort"
	"tarebench"
)

var values []int

func mix(x uint64) uint64 { return (x ^ x>>7) * 0x9e3779b97f4a7c15 }

func main() {
	var suite tarebench.Suite
	for _, size := range []int{100, 10000} {
		size := size
		suite.AddBenchmark(tarebench.Benchmark{
			Name:     fmt.Sprintf("sort/n=%d", size),
			SetUp:    func() { values = rand.New(rand.NewSource(1)).Perm(size) },
			TearDown: func() { values = nil },
			Body: func(n int) {
				for i := 0; i < n; i++ {
					copied := append([]int(nil), values...)
					sort.Ints(copied)
					tarebench.Keep(copied)
				}
			},
		})
	}
	suite.Add("mix", func(n int) {
		x := uint64(1)
		for i := 0; i < n; i++ {
			x = mix(x)
		}
		tarebench.Keep(x)
	})
	suite.AddBenchmark(tarebench.Benchmark{Name: "needs_gpu", SetUp: func() { tarebench.Skip("no GPU here") }, Body: func(int) {}})
	suite.Main()
}
