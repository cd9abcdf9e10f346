// Six benchmarks of mitata. With SLOWER=N in the environment, two of them (copy, chain) do N % more.
import { bench, group, run } from 'mitata';

const more = (steps) => Math.round((steps * (100 + Number(process.env.SLOWER ?? 0))) / 100);

function mix(steps) {
  let x = steps;
  for (let i = 0; i < steps; i++) x = Math.imul(x ^ (x >>> 7), 0x9e3779b9);
  return x;
}

bench('steady', () => mix(2000));
bench('copy', () => mix(more(1000)));
group('chains', () => {
  bench('chain of 10', () => mix(more(10000)));
  bench('sized $steps', function* (state) {
    const steps = state.get('steps');
    yield () => mix(steps);
  }).args('steps', [500, 4000]);
});
bench('filled', async () => mix(3000));

await run();
