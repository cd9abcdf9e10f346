//! Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them.
fn main() {
    let mut suite = tare_bench::Suite::new();
    suite.add("throws", |_| panic!("oh\ndear"));
    suite.add("rants", |_| panic!("oh\0dear {}", "\u{1f600}".repeat(5000)));
    suite.add("indexes", |n| {
        tare_bench::keep(vec![0; 1][n as usize + 1]);
    });
    suite.add("prints", |_| println!("hello"));
    suite.add("starts", |_| {
        let probe = "for fd in 3 4 5; do [ ! -e /proc/self/fd/$fd ] || exit 1; done";
        assert!(std::process::Command::new("sh").args(["-c", probe]).status().unwrap().success());
    });
    suite.add("ends", |_| std::process::exit(3));
    suite.add("blanks/text=a b", |_| {});
    suite.add("blanks/text=c\n\u{2003}d", |_| {});
    if std::env::args().len() > 1 {
        suite.add("blanks/text=a_b", |_| {});
    }
    suite.main();
}
