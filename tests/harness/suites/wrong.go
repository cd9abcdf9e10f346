// Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"tarebench"
)

func main() {
	var suite tarebench.Suite
	suite.Add("throws", func(n int) { panic("oh\ndear") })
	suite.Add("rants", func(n int) { panic("oh\000dear " + strings.Repeat("\U0001f600", 5000)) })
	suite.Add("indexes", func(n int) { tarebench.Keep(make([]int, 1)[n+1]) })
	suite.Add("prints", func(n int) { fmt.Println("hello") })
	suite.Add("starts", func(n int) {
		if err := exec.Command("sh", "-c", "for fd in 3 4 5; do [ ! -e /proc/self/fd/$fd ] || exit 1; done").Run(); err != nil {
			panic(err)
		}
	})
	suite.Add("ends", func(n int) { os.Exit(3) })
	suite.Add("blanks/text=a b", func(n int) {})
	suite.Add("blanks/text=c\n\u2003d", func(n int) {})
	if len(os.Args) > 1 {
		suite.Add("blanks/text=a_b", func(n int) {})
	}
	suite.Main()
}
