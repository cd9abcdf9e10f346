// Six benchmarks of tinybench. With SLOWER=N in the environment, two of them (copy, chain) do N % more.
import { Bench } from 'tinybench';

const more = (steps) => Math.round((steps * (100 + Number(process.env.SLOWER ?? 0))) / 100);

function mix(steps) {
  let x = steps;
  for (let i = 0; i < steps; i++) x = Math.imul(x ^ (x >>> 7), 0x9e3779b9);
  return x;
}

const bench = new Bench({ name: 'numbers', time: 200 });
bench.add('steady', () => mix(2000)).add('copy', () => mix(more(1000)));
const chains = new Bench({ name: 'chains' });
chains.add('chain of 10', () => mix(more(10000)));
for (const steps of [500, 4000]) chains.add(`sized ${steps}`, () => mix(steps));
chains.add('filled', async () => mix(3000));

for (const one of [bench, chains]) {
  await one.run();
  console.table(one.table());
}
