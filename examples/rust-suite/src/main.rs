//! Benchmarks of Rust code. `cargo run --release` alone, or `cargo build --release` and `tare bench target/release/suite`.
use std::cell::RefCell;
use tare_bench::{keep, skip, Suite};

fn shuffled(n: u64) -> Vec<u64> {
    let mut seed = 1;
    let next = |_| {
        seed = seed * 16807 % 2147483647;
        seed
    };
    (0..n).map(next).collect()
}

fn mix(x: u64) -> u64 {
    (x ^ x >> 7).wrapping_mul(0x9e3779b97f4a7c15)
}

fn main() {
    let values = RefCell::new(Vec::new());
    let values = &values;
    let mut suite = Suite::new();
    for size in [100, 10000] {
        let sort = |n| {
            for _ in 0..n {
                let mut copied = values.borrow().clone();
                copied.sort_unstable();
                keep(copied);
            }
        };
        suite.add_with(&format!("sort/n={}", size), move || *values.borrow_mut() = shuffled(size), sort, || values.borrow_mut().clear());
    }
    suite.add("mix", |n| {
        keep((0..n).fold(1, |x, _| mix(x)));
    });
    suite.add_with("needs_gpu", || skip("no GPU here"), |_| {}, || {});
    suite.main();
}
