import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { cpuMsOf, median, numberOption } from '#bench/support/measure.ts';
import { insertNumbered } from '#bench/support/numbered-contacts.ts';
import { type BenchProcess, INTERNAL_TOKEN, processFolder, startServe } from '#bench/support/server-process.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { startRuntimes } from '#test/chaos/runtime-fleet.ts';
import { CELL_PASSWORD, startCell } from '#test/chaos/cell-process.ts';
import { flood, slowestProbe } from './unauthenticated-requests.ts';

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_MS = 3_000;
const UNAUTHENTICATED_PER_SECOND = 100;
const CONTACTS = 40_000;
/** The campaign's pacing, in ms per call, far below the machine's capacity: any loss is due to the flood. */
const CALL_INTERVAL_MS = 50;
const MAX_CONCURRENCY = 400;
const REQUEST_TIMEOUT_MS = 10_000;
const PEOPLE =
  '--answer-rate 0 --busy-rate 1 --no-answer-rate 0 --reject-rate 0 --unreachable-rate 0 --voicemail-rate 0 --ring-ms 1-5 --talk-ms 50-150 --sessions-per-second 5000 --max-sessions 5000';

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
  const server = await setStage(context, database, stack);
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

async function countDials(database: Database): Promise<number> {
  const row = await database.first(
    sql<{ dials: number }>`select count(*) as dials from attempt where status not in ('claimed', 'cancelled')`,
  );
  return row?.dials ?? 0;
}

async function setStage(context: BenchContext, database: Database, stack: AsyncDisposableStack): Promise<BenchProcess> {
  const folder = await processFolder(stack);
  const cell = await startCell('cell-1', { folder, seed: 7, args: PEOPLE.split(' ') });
  stack.defer(() => cell.close());
  const password = randomUUID();
  const server = await startServe(folder, context, {
    auth: { enabled: true, bootstrapAdminPassword: password },
    businesses: [{ businessCode: 'bench', businessName: '基准', runtimeBringsFlow: true }],
    cells: [{ id: 'cell-1', host: '127.0.0.1', port: cell.port, password: CELL_PASSWORD, maxOriginatesPerSecond: 1_000 }],
  });
  stack.defer(() => server.stop());
  const runtime = await startRuntimes({
    size: 1,
    maxCalls: 100_000,
    natsUrl: context.natsUrl,
    seed: 7,
    segments: 1,
    internalToken: INTERNAL_TOKEN,
  });
  stack.defer(() => runtime.close());
  await startCampaign(`http://127.0.0.1:${server.port}`, password, database);
  return server;
}

async function startCampaign(url: string, password: string, database: Database): Promise<void> {
  const { token } = await ask(url, { method: 'POST', path: '/api/auth/login', body: { username: 'admin', password } });
  const line = await ask(url, {
    method: 'POST',
    path: '/api/lines',
    token,
    body: {
      name: '线路',
      code: 'flood',
      dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
      maxConcurrency: MAX_CONCURRENCY,
      allocationMode: 'single_shared',
    },
  });
  const made = await ask(url, {
    method: 'POST',
    path: '/api/campaigns',
    token,
    body: {
      name: '活动',
      businessCode: 'bench',
      lineIds: [line.line.id],
      maxConcurrency: MAX_CONCURRENCY,
      callIntervalMs: CALL_INTERVAL_MS,
    },
  });
  const id = Number(made.campaign.id);
  await insertNumbered(database, id, '139', CONTACTS);
  await ask(url, { method: 'PATCH', path: `/api/campaigns/${id}`, token, body: { status: 'running' } });
}

/** Returns the data of a successful response; throws on any other. */
// oxlint-disable-next-line typescript/no-explicit-any
async function ask(url: string, request: { method: string; path: string; body: unknown; token?: string }): Promise<any> {
  const { method, path, body, token } = request;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  const { data, msg } = (await answer.json()) as { data: any; msg: string };
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${msg}`);
  return data;
}
