import { compareFanOut, type Side } from '#bench/fan-out/compare.ts';
import { socketDialect, yogaDialect } from '#bench/fan-out/dialects.ts';
import { numberOption } from '#bench/support/measure.ts';
import type { Bench } from '#tools/commands/bench-context.ts';

const SUBSCRIBERS = [1_000, 8_000];
const SIDES: Side[] = [
  { name: 'product', dialect: socketDialect('"type":"next"') },
  { name: 'raw-ws', dialect: socketDialect('pong') },
  { name: 'graphql-ws', dialect: socketDialect('pong') },
  { name: 'yoga', dialect: yogaDialect() },
];
const PEERS = [
  { name: 'raw-ws', atMost: 1.5 },
  { name: 'graphql-ws', atMost: 0.4 },
  { name: 'yoga', atMost: 0.25 },
];

/**
 * Fan-out of a caption from its post to every subscriber of one operation: the product, a loop over WebSockets, plain graphql-ws,
 * graphql-yoga.
 */
export const bench: Bench = async context => {
  const only = numberOption(context.args, 'subscribers', Number.MAX_SAFE_INTEGER);
  const counts = only === Number.MAX_SAFE_INTEGER ? SUBSCRIBERS : [only];
  const compared = await compareFanOut(context, SIDES, counts);
  return {
    bench: 'graphql',
    ratios: compared.flatMap(({ subscribers, of }) => [
      ...PEERS.map(({ name, atMost }) => ({
        what: `CPU/delivery / ${name}, ${subscribers}`,
        ratio: of('product', 'cpuUs') / of(name, 'cpuUs'),
        bar: { atMost },
      })),
      {
        what: `memory of a subscriber / raw, ${subscribers}`,
        ratio: of('product', 'memoryKb') / of('raw-ws', 'memoryKb'),
        bar: { atMost: 2 },
      },
    ]),
    figures: compared.flatMap(({ subscribers, of }) =>
      SIDES.flatMap(({ name }) => [
        { what: `CPU per delivery, ${name}, ${subscribers}`, value: of(name, 'cpuUs'), unit: 'µs' },
        { what: `until the last subscriber has it, ${name}, ${subscribers}`, value: of(name, 'lastMs'), unit: 'ms' },
        { what: `memory per subscriber, ${name}, ${subscribers}`, value: of(name, 'memoryKb'), unit: 'KB' },
      ]),
    ),
  };
};
