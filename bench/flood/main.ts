import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { cpuMsOf, median, numberOption } from '#bench/support/measure.ts';
import { countDials, startPacedCampaign } from '#bench/support/paced-campaign.ts';
import type { BenchProcess } from '#bench/support/server-process.ts';
import type { Bench } from '#tools/commands/bench-context.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { flood, slowestProbe } from './unauthenticated-requests.ts';

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_MS = 3_000;
const UNAUTHENTICATED_PER_SECOND = 100;

interface Round {
  dialsPerSecond: number;
  slowestProbeMs: number;
  cpuShare: number;
  requestsPerSecond: number;
}

/**
 * Dials per second during a hundred of the most expensive unauthenticated GraphQL requests per second, against the rate without them.
 * `npm run bench -- flood [--rounds N] [--seconds S]`
 */
export const bench: Bench = async context => {
  await migrate(context.databaseUrl);
  await using stack = new AsyncDisposableStack();
  const database = await connectDatabase({ entities: ENTITIES, url: context.databaseUrl, poolSize: 2, statementTimeoutMs: 60_000 });
  stack.defer(() => database.close());
  const { server } = await startPacedCampaign(context, database, stack);
  await sleep(systemClock, WARM_UP_MS);
  const seconds = numberOption(context.args, 'seconds', SECONDS);
  const rounds = { calm: [] as Round[], flooded: [] as Round[] };
  for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
    const [calm, flooded] = [
      await measure({ database, server, seconds, unauthenticatedPerSecond: 0 }),
      await measure({ database, server, seconds, unauthenticatedPerSecond: UNAUTHENTICATED_PER_SECOND }),
    ];
    context.print(
      `flood: round ${round + 1}: ${calm.dialsPerSecond.toFixed(1)} dials/s calm, ${flooded.dialsPerSecond.toFixed(1)} flooded`,
    );
    rounds.calm.push(calm);
    rounds.flooded.push(flooded);
  }
  const of = (who: keyof typeof rounds, member: keyof Round) => median(rounds[who].map(each => each[member]));
  return {
    bench: 'flood',
    ratios: [
      {
        what: 'dials/s beside 100 unauthenticated requests/s / without them',
        ratio: of('flooded', 'dialsPerSecond') / of('calm', 'dialsPerSecond'),
        bar: { atLeast: 0.9 },
      },
    ],
    figures: (['calm', 'flooded'] as const).flatMap(who => [
      { what: `dials, ${who}`, value: of(who, 'dialsPerSecond'), unit: '/s' },
      { what: `slowest /health/live, ${who}`, value: of(who, 'slowestProbeMs'), unit: 'ms' },
      { what: `CPU of the server, ${who}`, value: of(who, 'cpuShare') * 100, unit: '% of a core' },
      { what: `unauthenticated requests, ${who}`, value: of(who, 'requestsPerSecond'), unit: '/s' },
    ]),
  };
};

async function measure(asked: {
  database: Database;
  server: BenchProcess;
  seconds: number;
  unauthenticatedPerSecond: number;
}): Promise<Round> {
  const { database, server, seconds, unauthenticatedPerSecond } = asked;
  const before = { dials: await countDials(database), cpuMs: cpuMsOf(server.pid), at: systemClock.monotonic() };
  const [slowestProbeMs, answered] = await Promise.all([
    slowestProbe(server.port, seconds),
    unauthenticatedPerSecond === 0 ? null : flood(server.port, { perSecond: unauthenticatedPerSecond, seconds }),
  ]);
  const dials = (await countDials(database)) - before.dials;
  const ms = systemClock.monotonic() - before.at;
  return {
    dialsPerSecond: (dials * 1_000) / ms,
    slowestProbeMs,
    cpuShare: (cpuMsOf(server.pid) - before.cpuMs) / ms,
    requestsPerSecond: answered?.perSecond ?? 0,
  };
}
