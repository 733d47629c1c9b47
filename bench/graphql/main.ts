import { compareFanOut, type Side } from '#bench/fan-out/compare.ts';
import { socketDialect, yogaDialect } from '#bench/fan-out/dialects.ts';
import { MARKER } from '#bench/fan-out/live-load.ts';
import { startProduct } from '#bench/fan-out/measure-fan-out.ts';
import { processFolder } from '#bench/support/server-process.ts';
import { openSwarm } from '#bench/support/swarm.ts';
import { systemClock } from '#kernel/clock.ts';
import { numberOption } from '#bench/support/measure.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';

/** Number of browsers behind one address. */
const OFFICE = 500;
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
  const office = await reopenOffice(context);
  return {
    bench: 'graphql',
    ratios: [
      ...compared.flatMap(({ subscribers, of }) => [
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
      {
        what: `${OFFICE} browsers of one address after a restart, all with their snapshot / 5 s`,
        ratio: office.ms / 5_000,
        bar: { atMost: 1 },
      },
    ],
    figures: [
      { what: `until ${OFFICE} browsers of one address have their snapshot`, value: office.ms, unit: 'ms' },
      { what: 'connections refused to them, and opened again', value: office.refused, unit: '' },
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

/** Simulates a restart of the server: all browsers behind one address reconnect at the same moment. */
async function reopenOffice(context: BenchContext): Promise<{ ms: number; refused: number }> {
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const server = await startProduct(folder, context);
  stack.defer(() => server.stop());
  const startedAt = systemClock.monotonic();
  const plan = { ...socketDialect('"type":"next"'), port: server.port, marker: MARKER };
  const swarm = await openSwarm({ ...plan, subscribers: OFFICE, atOnce: OFFICE });
  const ms = systemClock.monotonic() - startedAt;
  await swarm.close();
  return { ms, refused: swarm.refused() };
}
