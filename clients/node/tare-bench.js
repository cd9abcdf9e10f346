// SPDX-License-Identifier: MIT
// Benchmarks in JavaScript, measured by tare (docs/protocol.md).
//
//     const { bench, main } = require('./tare-bench');
//     bench('sort', (values) => values.slice().sort(), { params: { n: [10, 1000] }, setup: ({ n }) => reversed(n) });
//     main();
//
// One call of the function is one invocation; it gets what `setup` returned, or the parameters. It may be async or
// return a promise. White space in the value of a parameter is "_" in the name of the benchmark.
// `node suite.js` prints a plain table, `tare bench 'node suite.js'` measures with intervals. Throw new Skip('why') to leave
// a benchmark out; any other exception fails it. Return a value from the function: it is kept from the optimiser.
'use strict';
const fs = require('fs');

class Skip extends Error {}
const benchmarks = new Map();

const plain = (text, characters = /[\s\p{Cc}]/gu) => String(text).replace(characters, '_');

function bench(name, body, { params = {}, setup, teardown, items = 0, bytes = 0, defaults = {} } = {}) {
  let combinations = [{}];
  for (const [key, values] of Object.entries(params)) {
    combinations = combinations.flatMap((c) => values.map((value) => ({ ...c, [key]: value })));
  }
  for (const chosen of combinations) {
    const full = plain([name, ...Object.entries(chosen).map(([key, value]) => `${key}=${value}`)].join('/'));
    if (benchmarks.has(full)) throw new Error(`two benchmarks are called ${full}`);
    const waits = body.constructor.name === 'AsyncFunction';
    benchmarks.set(full, { body, params: chosen, setup, teardown, items, bytes, defaults, waits, loop: loopFor(waits) });
  }
}

// A loop of its own for each benchmark, so that what V8 learns of one does not slow down another. One that does not wait
// ends with the first value when that is a promise.
function loopFor(waits) {
  const first = waits ? '' : "if (count > 0) { kept = body(input); if (typeof kept?.then === 'function') return kept; }";
  return new Function(`return ${waits ? 'async ' : ''}function (body, input, count, clock) {
    let kept; const start = clock(); ${first}
    for (let i = ${waits ? 0 : 1}; i < count; i++) kept = ${waits ? 'await ' : ''}body(input);
    const end = clock(); globalThis.tareKept = kept; return Number(end - start); }`)();
}

function delay() { // nanoseconds that this thread has waited for a CPU; zeros: the kernel keeps no account
  try {
    const [, waited, slices] = fs.readFileSync('/proc/thread-self/schedstat', 'ascii').trim().split(' ');
    return slices === '0' ? NaN : Number(waited);
  } catch { return NaN; }
}

async function time(b, input, count) {
  const before = delay(), cpu = process.cpuUsage();
  const result = b.loop(b.body, input, count, process.hrtime.bigint);
  if (!b.waits && typeof result !== 'number') { // a promise: again, and every one is awaited
    await result;
    Object.assign(b, { waits: true, loop: loopFor(true) });
    return time(b, input, count);
  }
  const wall = await result;
  const used = process.cpuUsage(cpu);
  return { wall, processCpu: (used.user + used.system) * 1000, delay: delay() - before };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function overhead() {
  const empty = { body: () => 0, waits: false, loop: loopFor(false) };
  const fixed = [], turns = [];
  for (let i = 0; i < 101; i++) fixed.push((await time(empty, null, 0)).wall);
  for (let i = 0; i < 101; i++) turns.push((await time(empty, null, 10000)).wall);
  const clock = median(fixed), loop = Math.max(0, (Math.min(...turns) - clock) / 10000);
  return { resolution: 1, fixed: clock, 'fixed-cpu': 0, loop, 'loop-limit': loop };
}

// The last line of a reply: one line of the protocol, which has 4096 bytes. Anything can be thrown, also null.
const status = (error) => `${error instanceof Skip ? 'skip' : 'fail'} ${
  String(error?.message ?? error).replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 1000)}`;

async function answer(word, rest, state) {
  if (['select', 'end', 'quit'].includes(word) && state.b) {
    const { b, input } = state;
    state.b = null;
    if (b.teardown) await b.teardown(input);
  }
  switch (word) {
    case 'tare': return ['tare 1 node 1'];
    case 'list': return [...benchmarks].flatMap(([name, b]) => [`bench ${name}`,
      ...Object.entries(b.params).map(([k, v]) => `param ${plain(k)} ${plain(v, /\p{Cc}/gu)}`),
      ...Object.entries(b.defaults).map(([k, v]) => `default ${k} ${v}`)]).concat('ok');
    case 'calibrate': return Object.entries(await overhead()).map(([k, v]) => `${k} ${v}`).concat('ok');
    case 'select': {
      const b = benchmarks.get(rest);
      if (!b) return [`error no benchmark is called ${rest}`];
      state.input = b.setup ? await b.setup(b.params) : b.params;
      state.b = b;
      return ['ok'];
    }
    case 'run': {
      if (!state.b) return ['error no benchmark is selected'];
      const count = parseInt(rest, 10), t = await time(state.b, state.input, count);
      return [`wall ${t.wall}`, `process-cpu ${t.processCpu}`, ...(Number.isFinite(t.delay) ? [`delay ${t.delay}`] : []),
        ...(state.b.items ? [`items ${state.b.items * count}`] : []), ...(state.b.bytes ? [`bytes ${state.b.bytes * count}`] : []), 'ok'];
    }
    case 'end': case 'quit': return ['ok'];
    default: return [`error unknown command ${word}`];
  }
}

async function obey(channel) {
  const [, input, output] = channel.split(' ').map(Number), state = { b: null }, chunk = Buffer.alloc(4096);
  for (let text = '', word = ''; word !== 'quit';) {
    while (!text.includes('\n')) {
      const got = fs.readSync(input, chunk);
      if (got === 0) return;
      text += chunk.toString('utf8', 0, got);
    }
    const line = text.slice(0, text.indexOf('\n')), space = line.indexOf(' ');
    text = text.slice(line.length + 1);
    word = space < 0 ? line : line.slice(0, space);
    let reply;
    try { reply = await answer(word, space < 0 ? '' : line.slice(space + 1), state); } catch (error) { reply = [status(error)]; }
    fs.writeSync(output, reply.join('\n') + '\n');
  }
}

async function main() {
  const channel = process.env.TARE_CHANNEL;
  delete process.env.TARE_CHANNEL;
  if (channel) return obey(channel);
  if (process.argv.includes('--list')) return console.log([...benchmarks.keys()].join('\n'));
  const cost = await overhead();
  for (const [name, b] of benchmarks) {
    try {
      const input = b.setup ? await b.setup(b.params) : b.params, times = [];
      try {
        let count = 1;
        while (!process.argv.includes('--test') && (await time(b, input, count)).wall < 2e7) count *= 2;
        for (let i = 0; i < 5; i++) times.push(((await time(b, input, count)).wall - cost.fixed) / count - cost.loop);
        console.log(`${name.padEnd(40)} ${median(times).toFixed(1).padStart(14)} ns`);
      } finally { if (b.teardown) await b.teardown(input); }
    } catch (error) { console.log(`${name.padEnd(40)} ${status(error)}`); }
  }
  console.log(`\nQuick numbers of one process. To measure for real: tare bench 'node ${process.argv[1]}'`);
}

module.exports = { bench, main, Skip };
