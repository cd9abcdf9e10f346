// Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them.
'use strict';
const { bench, main } = require('../../../clients/node/tare-bench');

bench('throws', () => { throw new Error('oh\ndear'); });
bench('throws_nothing', () => { throw undefined; });
bench('rants', () => { throw new Error('oh\0dear ' + '\u{1f600}'.repeat(5000)); });
bench('prints', () => { require('fs').writeSync(1, 'hello\n'); });
bench('starts', () => { require('child_process').execFileSync('sh', ['-c', 'for fd in 3 4 5; do [ ! -e /proc/self/fd/$fd ] || exit 1; done']); });
bench('ends', () => { process.exit(3); });
bench('blanks', ({ text }) => { if (!/^(a b|c\n\u2003d)$/.test(text)) throw new Error('lost'); },
  { params: { text: ['a b', 'c\n\u2003d'] } });
if (process.argv.includes('twice')) bench('blanks', () => 0, { params: { text: ['a_b'] } });

let running = false;
bench('promises', () => {
  if (running) throw new Error('two at once');
  running = true;
  return new Promise((resolve) => { setImmediate(() => { running = false; resolve(); }); });
});
main();
