// Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them.
'use strict';
const { bench, main } = require('../../../clients/node/tare-bench');

bench('throws', () => { throw new Error('oh\ndear'); });
bench('throws_nothing', () => { throw undefined; });
bench('rants', () => { throw new Error('oh\0dear ' + '\u{1f600}'.repeat(5000)); });
bench('prints', () => { require('fs').writeSync(1, 'hello\n'); });
bench('ends', () => { process.exit(3); });
main();
