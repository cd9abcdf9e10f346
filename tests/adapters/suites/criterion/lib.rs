//! Nothing but its benchmarks (benches/suite.rs).
