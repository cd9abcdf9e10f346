// SPDX-License-Identifier: MIT

// Package tarebench: benchmarks in Go, measured by tare (docs/protocol.md).
//
//	var suite tarebench.Suite
//	suite.Add("hash/n=100", func(n int) { for i := 0; i < n; i++ { tarebench.Keep(hash(100)) } })
//	suite.Main()
//
// The body runs n invocations. `go run .` prints a plain table; `go build -o suite . && tare bench ./suite` measures with
// intervals. Skip leaves a benchmark out; any other panic fails it. "/name=value" in a name is a parameter; white space in a
// name becomes "_". A suite of `go test -bench` needs no client: tare runs it as it is.
package tarebench

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unsafe"
)

// A Benchmark is measured by tare; SetUp and TearDown may be nil.
type Benchmark struct {
	Name            string
	SetUp, TearDown func()
	Body            func(invocations int)
}

// A Suite is the benchmarks of a program.
type Suite struct {
	benchmarks []*Benchmark
	selected   *Benchmark
}

type skipped string

var kept any

// Skip leaves the benchmark out that calls it, with a reason.
func Skip(reason string) { panic(skipped(reason)) }

// Keep needs the value: the compiler may not leave out its computation.
func Keep(value any) { kept = value }

// Add adds a benchmark without set-up and tear-down.
func (s *Suite) Add(name string, body func(invocations int)) {
	s.AddBenchmark(Benchmark{Name: name, Body: body})
}

// AddBenchmark panics where another benchmark has the name.
func (s *Suite) AddBenchmark(b Benchmark) {
	if s.find(plain(b.Name)) != nil {
		panic("two benchmarks are called " + plain(b.Name))
	}
	s.benchmarks = append(s.benchmarks, &b)
}

func (s *Suite) find(name string) *Benchmark {
	for _, b := range s.benchmarks {
		if plain(b.Name) == name {
			return b
		}
	}
	return nil
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func plain(text string) string { return replace(text, isBlank, '_') }

func replace(text string, unwanted func(rune) bool, by rune) string {
	return strings.Map(func(r rune) rune {
		if unwanted(r) {
			return by
		}
		return r
	}, text)
}

type times struct{ wall, cpu, delay int64 }

// Nanoseconds of CPU of this thread (CLOCK_THREAD_CPUTIME_ID), or -1.
func threadTime() int64 {
	var t syscall.Timespec
	if _, _, e := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 3, uintptr(unsafe.Pointer(&t)), 0); e != 0 {
		return -1
	}
	return t.Nano()
}

// Nanoseconds that this thread has waited for a CPU, or -1.
func delay() int64 {
	text, err := os.ReadFile("/proc/thread-self/schedstat")
	words := strings.Fields(string(text))
	if err != nil || len(words) < 3 || words[2] == "0" { // zeros: the kernel keeps no account
		return -1
	}
	if ns, err := strconv.ParseInt(words[1], 10, 64); err == nil {
		return ns
	}
	return -1
}

// Only the body lies between the readings of the wall clock.
func measure(body func(int), count int) times {
	waited, cpu, start := delay(), threadTime(), time.Now()
	body(count)
	t := times{wall: int64(time.Since(start)), cpu: threadTime() - cpu, delay: -1}
	if after := delay(); waited >= 0 && after >= 0 {
		t.delay = after - waited
	}
	return t
}

func median(values []int64) int64 {
	sort.Slice(values, func(i, k int) bool { return values[i] < values[k] })
	return values[len(values)/2]
}

// What readings around nothing show. The loop is the body's own: nothing to take off.
func calibrate() string {
	var wall, cpu [101]int64
	for i := range wall {
		t := measure(func(int) {}, 0)
		wall[i], cpu[i] = t.wall, t.cpu
	}
	return fmt.Sprintf("resolution 1\nfixed %d\nfixed-cpu %d\nloop 0\nloop-limit 0\nok", median(wall[:]), median(cpu[:]))
}

func (s *Suite) list() string {
	var text strings.Builder
	for _, b := range s.benchmarks {
		fmt.Fprintf(&text, "bench %s\n", plain(b.Name))
		for _, part := range strings.Split(replace(b.Name, unicode.IsControl, '_'), "/") {
			if at := strings.Index(part, "="); at > 0 {
				fmt.Fprintf(&text, "param %s %s\n", plain(part[:at]), part[at+1:])
			}
		}
	}
	return text.String() + "ok"
}

func run(step func()) {
	if step != nil {
		step()
	}
}

// The last line of a reply: one line of the protocol, which has 4096 bytes.
func status(thrown any) string {
	text := fmt.Sprintf("fail %v", thrown)
	if reason, ok := thrown.(skipped); ok {
		text = "skip " + string(reason)
	}
	letters := []rune(strings.Join(strings.Fields(replace(text, isBlank, ' ')), " "))
	if len(letters) > 1000 {
		letters = letters[:1000]
	}
	return string(letters)
}

func (s *Suite) answer(word, rest string) (reply string) {
	defer func() {
		if thrown := recover(); thrown != nil { // whatever a benchmark panics with is its result
			reply = status(thrown)
		}
	}()
	if s.selected != nil && (word == "select" || word == "end" || word == "quit") {
		ended := s.selected
		s.selected = nil
		run(ended.TearDown)
	}
	switch word {
	case "tare":
		return "tare 1 go 1"
	case "list":
		return s.list()
	case "calibrate":
		return calibrate()
	case "select":
		b := s.find(rest)
		if b == nil {
			return "error no benchmark is called " + rest
		}
		run(b.SetUp)
		s.selected = b
	case "run":
		count, err := strconv.Atoi(strings.SplitN(rest, " ", 2)[0])
		if s.selected == nil || err != nil {
			return "error no benchmark is selected"
		}
		t := measure(s.selected.Body, count)
		reply = fmt.Sprintf("wall %d\ncpu %d\n", t.wall, t.cpu)
		if t.delay >= 0 {
			reply += fmt.Sprintf("delay %d\n", t.delay)
		}
		return reply + "ok"
	case "end", "quit":
	default:
		return "error unknown command " + word
	}
	return "ok"
}

func (s *Suite) obey(channel string) {
	var fds []int
	for _, word := range strings.Fields(channel)[1:] {
		fd, _ := strconv.Atoi(word)
		syscall.CloseOnExec(fd)
		fds = append(fds, fd)
	}
	commands, replies := bufio.NewReader(os.NewFile(uintptr(fds[0]), "commands")), os.NewFile(uintptr(fds[1]), "replies")
	for {
		line, err := commands.ReadString('\n')
		if err != nil {
			return
		}
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		io.WriteString(replies, s.answer(word, rest)+"\n")
		if word == "quit" {
			return
		}
	}
}

func (s *Suite) byHand(b *Benchmark, once bool) (said string) {
	defer func() {
		if thrown := recover(); thrown != nil {
			said = status(thrown)
		}
	}()
	run(b.SetUp)
	defer run(b.TearDown)
	count := 1
	for !once && measure(b.Body, count).wall < 50_000_000 {
		count *= 2
	}
	return fmt.Sprintf("%14.1f ns", float64(measure(b.Body, count).wall)/float64(count))
}

func has(option string) bool {
	for _, argument := range os.Args[1:] {
		if argument == option {
			return true
		}
	}
	return false
}

// Main answers tare or, started by hand, prints a plain table.
func (s *Suite) Main() {
	runtime.LockOSThread() // CPU time is that of one thread
	if channel := os.Getenv("TARE_CHANNEL"); channel != "" {
		os.Unsetenv("TARE_CHANNEL")
		s.obey(channel)
		return
	}
	for _, b := range s.benchmarks {
		if has("--list") {
			fmt.Println(plain(b.Name))
		} else {
			fmt.Printf("%-40s %s\n", plain(b.Name), s.byHand(b, has("--test")))
		}
	}
	if !has("--list") {
		fmt.Printf("\nQuick numbers of one process. To measure for real: tare bench %s\n", os.Args[0])
	}
}
