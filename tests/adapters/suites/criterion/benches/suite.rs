//! Six benchmarks of criterion. With SLOWER=N in the environment of the build, two of them (copy, chain) do N % more.
use criterion::{black_box, criterion_group, criterion_main, BenchmarkId, Criterion};

fn mix(steps: u64) -> u64 {
    (0..steps).fold(steps, |x, _| (x ^ x >> 7).wrapping_mul(0x9e3779b97f4a7c15))
}

fn more(steps: u64) -> u64 {
    let slower: u64 = option_env!("SLOWER").unwrap_or("0").parse().unwrap();
    steps * (100 + slower) / 100
}

fn suite(c: &mut Criterion) {
    c.bench_function("steady", |b| b.iter(|| mix(black_box(2000))));
    c.bench_function("copy", |b| b.iter(|| mix(black_box(more(1000)))));
    let mut group = c.benchmark_group("chains");
    group.bench_function("chain", |b| b.iter(|| mix(black_box(more(10000)))));
    for steps in [500, 4000] {
        group.bench_with_input(BenchmarkId::new("sized", steps), &steps, |b, &steps| b.iter(|| mix(black_box(steps))));
    }
    group.finish();
    c.bench_function("filled", |b| b.iter(|| mix(black_box(3000))));
}

criterion_group!(benches, suite);
criterion_main!(benches);
