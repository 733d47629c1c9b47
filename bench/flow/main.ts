import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { cpuMsOf, median, numberOption, ownCpuMs, residentMibOf } from '#bench/support/measure.ts';
import { insertNumbered } from '#bench/support/numbered-contacts.ts';
import { type BenchProcess, INTERNAL_TOKEN, startServe } from '#bench/support/server-process.ts';
import type { Services } from '#tools/services/start-services.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import type { Figure } from '#tools/commands/bench-report.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { indexContacts } from '#contacts/contact-counts.ts';
import { startRuntimes } from '#test/chaos/runtime-fleet.ts';
import { CELL_PASSWORD, type CellProcess, startCell } from '#test/chaos/cell-process.ts';
import { restCaller } from '#test/chaos/rest-caller.ts';
import { startDurableServices } from '#test/support/durable-services.ts';
import { watchDemo } from './demo-memory.ts';
import { redisBytesPerCall } from './redis-per-call.ts';

const SECONDS = 20;
const WARM_UP_MS = 4_000;
const STARTS = 5;
/** Duration of the demo, when `--minutes` has no value. */
const DEMO_MINUTES = 60;
const SEGMENTS_PER_CALL = 4;
const CAMPAIGNS = 4;
const CONTACTS = 40_000;
const INDEXED_TOGETHER = 1_000;
/** Far above the machine's capacity, so that the whole stack is the limit. */
const MAX_CONCURRENCY = 400;
const START_BAR_MS = 1_500;
const BYTES_BAR = 10_240;
const CPU_BAR_MS = 6.5;
const MEMORY_BAR_MIB = 250;
/** Every customer answers and speaks for a moment; the switch admits every call. */
const PEOPLE =
  '--answer-rate 1 --busy-rate 0 --no-answer-rate 0 --reject-rate 0 --unreachable-rate 0 --voicemail-rate 0 --ring-ms 1-5 --talk-ms 50-150 --impatient-rate 1 --sessions-per-second 5000 --max-sessions 5000';

/** The whole stack on one machine: campaign → switch → runtime → result, with the CPU share of each part. */
export const bench: Bench = async context => {
  const redisBytes = await redisBytesPerCall(context.redisUrl);
  await using stack = new AsyncDisposableStack();
  const stage = await setStage(stack);
  const flow = await measureFlow(stage, context);
  const starts = await measureStarts(stage);
  const minutes = numberOption(context.args, 'minutes', DEMO_MINUTES);
  const demo = context.args.includes('--minutes') ? await watchDemo(minutes, line => context.print(line)) : null;
  const { calls, cpu } = flow;
  const total = Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
  return {
    bench: 'flow',
    ratios: [],
    figures: [
      { what: 'calls from dial to stored result', value: calls.perSecond, unit: '/s' },
      { what: 'CPU of the server per call', value: (cpu['server'] ?? 0) / calls.count, unit: 'ms' },
      { what: 'CPU of everything per call', value: total / calls.count, unit: 'ms', bar: { atMost: CPU_BAR_MS } },
      ...Object.entries(cpu).map(([part, ms]) => ({ what: `share of the CPU: ${part}`, value: (100 * ms) / total, unit: '%' })),
      { what: 'memory of the server at the end', value: flow.residentMib, unit: 'MiB', bar: { atMost: MEMORY_BAR_MIB } },
      ...(demo ? memoryOf(demo, minutes) : []),
      { what: 'Redis per live call with 30 segments', value: redisBytes, unit: 'bytes', bar: { atMost: BYTES_BAR } },
      { what: 'server start to first healthy answer, median', value: median(starts), unit: 'ms', bar: { atMost: START_BAR_MS } },
    ],
  };
};

function memoryOf({ residentMib, calls }: Awaited<ReturnType<typeof watchDemo>>, minutes: number): Figure[] {
  return [
    {
      what: `memory of the server, most in ${minutes} minutes of the demo`,
      value: Math.max(...residentMib),
      unit: 'MiB',
      bar: { atMost: MEMORY_BAR_MIB },
    },
    { what: 'calls of the demo with a result', value: calls, unit: '' },
  ];
}

interface Stage {
  folder: string;
  services: Services;
  database: Database;
  cell: CellProcess;
  config: Record<string, unknown>;
}

/** Private services: their processes are measured, so nothing else may use them. */
async function setStage(stack: AsyncDisposableStack): Promise<Stage> {
  const { folder, services } = await startDurableServices(stack, 'bench');
  await migrate(services.databaseUrl);
  const database = await connectDatabase({ entities: ENTITIES, url: services.databaseUrl, poolSize: 2, statementTimeoutMs: 60_000 });
  stack.defer(() => database.close());
  const cell = await startCell('cell-1', { folder, seed: 7, args: PEOPLE.split(' ') });
  stack.defer(() => cell.close());
  const address = { id: 'cell-1', host: '127.0.0.1', port: cell.port, password: CELL_PASSWORD };
  const config = {
    businesses: [{ businessCode: 'bench', businessName: '基准', runtimeBringsFlow: true }],
    cells: [{ ...address, maxOriginatesPerSecond: 1_000 }],
  };
  return { folder, services, database, cell, config };
}

interface Flow {
  calls: { count: number; perSecond: number };
  /** Resident memory of the server at the end, in MiB. */
  residentMib: number;
  /** CPU by part, in ms. */
  cpu: Record<string, number>;
}

async function measureFlow(stage: Stage, context: BenchContext): Promise<Flow> {
  const { services, database, cell, folder, config } = stage;
  await using stack = new AsyncDisposableStack();
  const server = await startServe(folder, services, config);
  stack.defer(() => server.stop());
  const runtime = await startRuntimes({
    size: 1,
    maxCalls: 100_000,
    natsUrl: services.natsUrl,
    seed: 7,
    segments: SEGMENTS_PER_CALL,
    internalToken: INTERNAL_TOKEN,
  });
  stack.defer(() => runtime.close());
  await startCampaigns(`http://127.0.0.1:${server.port}`, database);
  await sleep(systemClock, WARM_UP_MS);
  const seconds = numberOption(context.args, 'seconds', SECONDS);
  const before = { calls: await countResults(database), cpu: readCpu(services, server, cell), at: systemClock.monotonic() };
  await sleep(systemClock, seconds * 1_000);
  const after = { calls: await countResults(database), cpu: readCpu(services, server, cell), at: systemClock.monotonic() };
  const count = after.calls - before.calls;
  const cpu = Object.fromEntries(Object.entries(after.cpu).map(([part, ms]) => [part, ms - (before.cpu[part] ?? 0)]));
  return { calls: { count, perSecond: (count * 1_000) / (after.at - before.at) }, cpu, residentMib: residentMibOf(server.pid) };
}

function readCpu({ handles }: Services, server: BenchProcess, cell: CellProcess): Record<string, number> {
  return {
    server: cpuMsOf(server.pid),
    PostgreSQL: cpuMsOf(handles.PostgreSQL?.pid()),
    Redis: cpuMsOf(handles.Redis?.pid()),
    NATS: cpuMsOf(handles.NATS?.pid()),
    'switch simulator': cpuMsOf(cell.pid()),
    'runtime of the bench': ownCpuMs(),
  };
}

async function countResults(database: Database): Promise<number> {
  const row = await database.first(sql<{ results: number }>`select count(*) as results from attempt where result_at is not null`);
  return row?.results ?? 0;
}

async function startCampaigns(url: string, database: Database): Promise<void> {
  const rest = restCaller([url]);
  const campaignIds: number[] = [];
  for (let index = 0; index < CAMPAIGNS; index++) {
    const line = await rest.call('POST', '/api/lines', {
      name: `线路 ${index}`,
      code: `flow-${index}`,
      dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
      maxConcurrency: MAX_CONCURRENCY,
      allocationMode: 'single_shared',
      callerIdNumber: `0216000000${index}`,
    });
    const campaign = await rest.call('POST', '/api/campaigns', {
      name: `活动 ${index}`,
      businessCode: 'bench',
      lineIds: [line.data.line.id],
      maxConcurrency: MAX_CONCURRENCY,
    });
    const id = Number(campaign.data.campaign.id);
    await insertNumbered(database, id, `13${index}`, CONTACTS);
    campaignIds.push(id);
  }
  await indexAll(database);
  for (const id of campaignIds) await rest.call('PATCH', `/api/campaigns/${id}`, { status: 'running' });
}

/** Indexes the contacts first: minutes of indexing after an import are not part of a call. */
async function indexAll(database: Database): Promise<void> {
  while ((await indexContacts(database, INDEXED_TOGETHER)) > 0);
  await database.run(sql`vacuum analyze`);
}

async function measureStarts({ folder, services, database, config }: Stage): Promise<number[]> {
  await database.run(sql`update campaign set status = 'paused'`);
  const starts: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const server = await startServe(folder, services, config);
    starts.push(server.startedInMs);
    await server.stop();
  }
  return starts;
}
