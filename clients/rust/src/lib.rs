// SPDX-License-Identifier: MIT
//! Benchmarks in Rust, measured by tare (docs/protocol.md).
//!
//! ```no_run
//! let mut suite = tare_bench::Suite::new();
//! suite.add("sum/n=100", |invocations| {
//!     for _ in 0..invocations {
//!         tare_bench::keep((0..100u64).sum::<u64>());
//!     }
//! });
//! suite.main();
//! ```
//!
//! The body runs as many invocations as it is told. `cargo run --release` prints a plain table, `tare bench
//! target/release/suite` measures with intervals. `skip` leaves a benchmark out; any other panic fails it. "/name=value" in a
//! name is a parameter; white space in a name becomes "_". A suite of criterion needs no client: tare runs it as it is.

use std::any::Any;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::raw::{c_int, c_long};
use std::os::unix::io::FromRawFd;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::time::Instant;

struct Skipped(String);

/// Leaves out the benchmark that calls it, with a reason.
pub fn skip(reason: &str) -> ! {
    resume_unwind(Box::new(Skipped(reason.to_string())))
}

/// Needs the value: the compiler may not leave out its computation.
pub fn keep<T>(value: T) -> T {
    // SAFETY: the value is read once, and the original is never dropped.
    unsafe {
        let kept = std::ptr::read_volatile(&value);
        std::mem::forget(value);
        kept
    }
}

type Step<'a> = Box<dyn FnMut() + 'a>;

struct Benchmark<'a> {
    name: String, // as it was given
    set_up: Step<'a>,
    body: Box<dyn FnMut(u64) + 'a>,
    tear_down: Step<'a>,
}

/// The benchmarks of a program.
#[derive(Default)]
pub struct Suite<'a> {
    benchmarks: Vec<Benchmark<'a>>,
    selected: Option<usize>,
}

struct Times {
    wall: i64,
    cpu: i64,
    delay: Option<i64>,
}

#[repr(C)]
struct Timespec {
    seconds: c_long,
    nanoseconds: c_long,
}

extern "C" {
    fn clock_gettime(clock: c_int, now: *mut Timespec) -> c_int;
    fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
}

/// Nanoseconds of CPU of this thread.
fn thread_time() -> i64 {
    const CLOCK_THREAD_CPUTIME_ID: c_int = 3;
    let mut now = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the kernel fills the structure, which has its layout.
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut now) };
    now.seconds as i64 * 1_000_000_000 + now.nanoseconds as i64
}

/// Nanoseconds that this thread has waited for a CPU.
fn delay() -> Option<i64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let account: Vec<&str> = text.split_whitespace().collect();
    if *account.get(2)? == "0" {
        return None; // zeros: the kernel keeps no account
    }
    account[1].parse().ok()
}

/// Only the body lies between the readings of the wall clock.
fn measure(body: &mut dyn FnMut(u64), count: u64) -> Times {
    let (waited, cpu, start) = (delay(), thread_time(), Instant::now());
    body(count);
    let (wall, cpu) = (start.elapsed().as_nanos() as i64, thread_time() - cpu);
    Times { wall, cpu, delay: delay().and_then(|after| Some(after - waited?)) }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

fn plain(text: &str) -> String {
    text.replace(is_blank, "_")
}

/// What readings around nothing show. The loop is the body's own: nothing to take off.
fn calibrate() -> String {
    let mut readings: Vec<Times> = (0..101).map(|_| measure(&mut |_| {}, 0)).collect();
    readings.sort_by_key(|t| t.wall);
    let fixed = readings[50].wall;
    readings.sort_by_key(|t| t.cpu);
    format!("resolution 1\nfixed {}\nfixed-cpu {}\nloop 0\nloop-limit 0\nok", fixed, readings[50].cpu)
}

/// The last line of a reply: one line of the protocol, which has 4096 bytes.
fn status(thrown: Box<dyn Any + Send>) -> String {
    let text = if let Some(skipped) = thrown.downcast_ref::<Skipped>() {
        format!("skip {}", skipped.0)
    } else if let Some(text) = thrown.downcast_ref::<&str>() {
        format!("fail {}", text)
    } else if let Some(text) = thrown.downcast_ref::<String>() {
        format!("fail {}", text)
    } else {
        "fail it panicked".to_string()
    };
    let words: Vec<&str> = text.split(is_blank).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(1000).collect()
}

impl<'a> Suite<'a> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add(&mut self, name: &str, body: impl FnMut(u64) + 'a) {
        self.add_with(name, || {}, body, || {});
    }

    /// Panics where another benchmark has the name.
    pub fn add_with(&mut self, name: &str, set_up: impl FnMut() + 'a, body: impl FnMut(u64) + 'a, tear_down: impl FnMut() + 'a) {
        assert!(self.find(&plain(name)).is_none(), "two benchmarks are called {}", plain(name));
        self.benchmarks.push(Benchmark {
            name: name.to_string(),
            set_up: Box::new(set_up),
            body: Box::new(body),
            tear_down: Box::new(tear_down),
        });
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.benchmarks.iter().position(|b| plain(&b.name) == name)
    }

    fn list(&self) -> String {
        let mut text = String::new();
        for b in &self.benchmarks {
            text += &format!("bench {}\n", plain(&b.name));
            for part in b.name.replace(char::is_control, "_").split('/') {
                match part.split_once('=') {
                    Some((key, value)) if !key.is_empty() => text += &format!("param {} {}\n", plain(key), value),
                    _ => {}
                }
            }
        }
        text + "ok"
    }

    fn answer(&mut self, word: &str, rest: &str) -> String {
        if matches!(word, "select" | "end" | "quit") {
            if let Some(ended) = self.selected.take() {
                (self.benchmarks[ended].tear_down)();
            }
        }
        match word {
            "tare" => return "tare 1 rust 1".to_string(),
            "list" => return self.list(),
            "calibrate" => return calibrate(),
            "select" => match self.find(rest) {
                None => return format!("error no benchmark is called {}", rest),
                Some(found) => {
                    (self.benchmarks[found].set_up)();
                    self.selected = Some(found);
                }
            },
            "run" => match (self.selected, rest.split(' ').next().and_then(|count| count.parse().ok())) {
                (Some(selected), Some(count)) => {
                    let t = measure(&mut *self.benchmarks[selected].body, count);
                    let delay = t.delay.map_or(String::new(), |ns| format!("delay {}\n", ns));
                    return format!("wall {}\ncpu {}\n{}ok", t.wall, t.cpu, delay);
                }
                _ => return "error no benchmark is selected".to_string(),
            },
            "end" | "quit" => {}
            _ => return format!("error unknown command {}", word),
        }
        "ok".to_string()
    }

    fn obey(&mut self, channel: &str) {
        const F_SETFD: c_int = 2;
        const FD_CLOEXEC: c_int = 1;
        let fds: Vec<c_int> = channel.split(' ').filter_map(|word| word.parse().ok()).collect();
        // SAFETY: the descriptors are tare's, for this program alone.
        let (commands, mut replies) = unsafe {
            for fd in &fds[1..] {
                fcntl(*fd, F_SETFD, FD_CLOEXEC);
            }
            (BufReader::new(File::from_raw_fd(fds[1])), File::from_raw_fd(fds[2]))
        };
        for line in commands.lines().map_while(Result::ok) {
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let reply = catch_unwind(AssertUnwindSafe(|| self.answer(word, rest))).unwrap_or_else(status);
            let _ = std::io::stdout().flush();
            if replies.write_all((reply + "\n").as_bytes()).is_err() || word == "quit" {
                return;
            }
        }
    }

    fn by_hand(b: &mut Benchmark, once: bool) -> String {
        let tried = catch_unwind(AssertUnwindSafe(|| {
            (b.set_up)();
            let timed = catch_unwind(AssertUnwindSafe(|| {
                let mut count = 1;
                while !once && measure(&mut *b.body, count).wall < 50_000_000 {
                    count *= 2;
                }
                measure(&mut *b.body, count).wall as f64 / count as f64
            }));
            (b.tear_down)();
            timed.unwrap_or_else(|thrown| resume_unwind(thrown))
        }));
        tried.map_or_else(status, |ns| format!("{:14.1} ns", ns))
    }

    /// Answers tare or, started by hand, prints a plain table.
    pub fn main(&mut self) {
        if let Ok(channel) = std::env::var("TARE_CHANNEL") {
            std::env::remove_var("TARE_CHANNEL");
            return self.obey(&channel);
        }
        let has = |option: &str| std::env::args().any(|argument| argument == option);
        for b in &mut self.benchmarks {
            let name = plain(&b.name);
            if has("--list") {
                println!("{}", name);
            } else {
                println!("{:40} {}", name, Self::by_hand(b, has("--test")));
            }
        }
        if !has("--list") {
            let program = std::env::args().next().unwrap_or_default();
            println!("\nQuick numbers of one process. To measure for real: tare bench {}", program);
        }
    }
}
