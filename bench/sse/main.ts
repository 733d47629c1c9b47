import { compareFanOut, type Side } from '#bench/fan-out/compare.ts';
import { sseDialect } from '#bench/fan-out/dialects.ts';
import { ingestLatency, stalledLatency } from '#bench/fan-out/latency.ts';
import { numberOption } from '#bench/support/measure.ts';
import type { Bench } from '#tools/commands/bench-context.ts';

const SUBSCRIBERS = [1_000, 8_000];
const PRODUCT = sseDialect('/api/live-calls/events', 'event: snapshot');
const SIDES: Side[] = [
  { name: 'product', dialect: PRODUCT },
  { name: 'raw-sse', dialect: sseDialect('/', 'retry:') },
  { name: 'better-sse', dialect: sseDialect('/', 'retry:') },
];

/** Fan-out of a caption from its post to every open event stream: the product, a loop that writes the same bytes, better-sse. */
export const bench: Bench = async context => {
  const only = numberOption(context.args, 'subscribers', Number.MAX_SAFE_INTEGER);
  const counts = only === Number.MAX_SAFE_INTEGER ? SUBSCRIBERS : [only];
  const compared = await compareFanOut(context, SIDES, counts);
  const latency = await ingestLatency(context, PRODUCT);
  const stalled = await stalledLatency(context, PRODUCT);
  return {
    bench: 'sse',
    ratios: compared.flatMap(({ subscribers, of }) => [
      {
        what: `CPU/delivery / raw write loop, ${subscribers}`,
        ratio: of('product', 'cpuUs') / of('raw-sse', 'cpuUs'),
        bar: { atMost: 1.2 },
      },
      {
        what: `CPU/delivery / better-sse, ${subscribers}`,
        ratio: of('product', 'cpuUs') / of('better-sse', 'cpuUs'),
        bar: { atMost: 0.75 },
      },
      {
        what: `memory of a subscriber / raw, ${subscribers}`,
        ratio: of('product', 'memoryKb') / of('raw-sse', 'memoryKb'),
        bar: { atMost: 2 },
      },
    ]),
    figures: [
      { what: 'ingest to client p99 at half load, 1,000 live calls', value: latency.p99, unit: 'ms', bar: { atMost: 50 } },
      { what: 'the same, slowest of five rounds', value: latency.worstP99, unit: 'ms' },
      { what: 'share of the machine that other programs used meanwhile', value: latency.others * 100, unit: '%' },
      { what: 'ingest to client p50 at half load', value: latency.p50, unit: 'ms' },
      { what: 'captions/s that are full load, 20 subscribers', value: latency.perSecond, unit: '/s' },
      { what: 'until the last of 100 subscribers has an event, p99', value: stalled.without, unit: 'ms' },
      { what: 'the same when 1 % of them read nothing', value: stalled.with, unit: 'ms' },
      ...compared.flatMap(({ subscribers, of }) =>
        SIDES.flatMap(({ name }) => [
          { what: `CPU per delivery, ${name}, ${subscribers}`, value: of(name, 'cpuUs'), unit: 'µs' },
          { what: `until the last subscriber has it, ${name}, ${subscribers}`, value: of(name, 'lastMs'), unit: 'ms' },
          { what: `memory per subscriber, ${name}, ${subscribers}`, value: of(name, 'memoryKb'), unit: 'KB' },
        ]),
      ),
    ],
  };
};
