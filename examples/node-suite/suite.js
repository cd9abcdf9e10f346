// Benchmarks of JavaScript code. `node suite.js` alone, or `tare bench 'node suite.js'`.
'use strict';
const { bench, main, Skip } = require('../../clients/node/tare-bench');

function shuffled(n) {
  const values = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1, seed = 1; i > 0; i--) {
    seed = (seed * 16807) % 2147483647;
    const k = seed % (i + 1);
    [values[i], values[k]] = [values[k], values[i]];
  }
  return values;
}

bench('sort', (values) => values.slice().sort((a, b) => a - b), { params: { n: [100, 10000] }, setup: ({ n }) => shuffled(n) });

bench('parse', (text) => JSON.parse(text), {
  setup: () => JSON.stringify({ numbers: shuffled(200) }), items: 200, defaults: { iterations: '20' },
});

bench('microtask', async () => { await null; });

bench('needs_gpu', () => 0, { setup: () => { throw new Skip('no GPU here'); } });

main();
