import { join } from 'node:path';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import type { Services } from '#tools/services/start-services.ts';
import { startDurableServices } from '#test/support/durable-services.ts';
import { type RuntimeFleet, startRuntimes } from './runtime-fleet.ts';
import type { Breakable } from './carry-out.ts';
import { CELL_PASSWORD, type CellProcess, startCell } from './cell-process.ts';
import { CELLS, RUNTIMES, SERVERS } from './fault-plan.ts';
import { CELL_MAX } from './load.ts';
import { type ReceiverProcess, receiverProcess } from './receiver-process.ts';
import { type RestCaller, restCaller } from './rest-caller.ts';
import { serverProcess, type ServerProcess } from './server-process.ts';

/** Two servers, two cells, three services and the runtimes, private to this run. */
export interface ChaosRig extends Breakable {
  services: Services;
  servers: ServerProcess[];
  cells: CellProcess[];
  runtime: RuntimeFleet;
  receiver: ReceiverProcess;
  database: Database;
  rest: RestCaller;
  folder: string;
}

/** Calls of about half a second, so that many dials per second need few channels. */
const CALLS =
  '--answer-rate 0.7 --busy-rate 0.15 --no-answer-rate 0.02 --reject-rate 0.06 --unreachable-rate 0.05 --voicemail-rate 0.02 --ring-ms 5-60 --talk-ms 60-300 --impatient-rate 0.5 --sessions-per-second 500 --max-sessions 2000'.split(
    ' ',
  );
const SEGMENTS_PER_CALL = 3;
/** Capacity of each runtime: two of them can carry the load, one cannot. */
const MAX_CALLS = 120;

/** Settings shortened for a run of minutes; everything else keeps the product's default. */
const CONFIG = {
  server: { logLevel: 'info', drainTimeoutMs: 1_000 },
  auth: { enabled: false },
  // A connection to a vanished peer is detected when its statement times out, 2 s after the server would have cancelled the statement.
  database: { migrateOnStart: false, poolSize: 20, statementTimeoutMs: 3_000 },
  dispatch: { resultGraceSeconds: 8, graceMs: 3_000 },
  businesses: [{ businessCode: 'chaos', businessName: '混沌', runtimeBringsFlow: true }],
  agents: { secretKey: '5e'.repeat(32) },
  webhooks: { allowPrivateAddresses: true },
};
const CELL = { password: CELL_PASSWORD, maxConcurrency: CELL_MAX, maxOriginatesPerSecond: 200, originateTimeoutSeconds: 5 };
/** Connections for the rig's own queries. */
const POOL_SIZE = 4;
const STATEMENT_TIMEOUT_MS = 20_000;

/** The files of jobs stand in a folder that all servers share. */
const configIn = (folder: string) => ({ ...CONFIG, files: { folder: join(folder, 'files') } });

/** Starts everything; `stack` stops it in reverse order and removes its folder. */
export async function startChaosRig(stack: AsyncDisposableStack, options: { seed: number; print(line: string): void }): Promise<ChaosRig> {
  const { folder, dataDir, services } = await startDurableServices(stack, 'chaos');
  await migrate(services.databaseUrl);
  const database = await connectDatabase({
    entities: ENTITIES,
    url: services.databaseUrl,
    poolSize: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  stack.defer(() => database.close());
  const cells = await Promise.all(CELLS.map((id, index) => startCell(id, { folder, seed: options.seed + index, args: CALLS })));
  stack.defer(async () => void (await Promise.all(cells.map(cell => cell.close()))));
  const runtime = await startRuntimes({
    natsUrl: services.natsUrl,
    seed: options.seed,
    segments: SEGMENTS_PER_CALL,
    size: RUNTIMES.length,
    maxCalls: MAX_CALLS,
  });
  stack.defer(() => runtime.close());
  const receiver = await receiverProcess(folder);
  stack.defer(() => receiver.close());
  await receiver.start();
  const servers = await startServers(folder, services, cells);
  stack.defer(async () => void (await Promise.all(servers.map(server => server.close()))));
  await Promise.all(servers.map(server => server.start()));
  const rest = restCaller(servers.map(server => server.url));
  return { services, dataDir, servers, cells, runtime, receiver, database, rest, folder };
}

/** Subscribes the receiver to what happens to calls and jobs. */
export async function subscribe({ rest, receiver }: Pick<ChaosRig, 'rest' | 'receiver'>): Promise<void> {
  const types = ['attempt.answered', 'attempt.settled', 'attempt.revised', 'import.completed', 'export.completed'];
  const { data } = await rest.call('POST', '/api/webhooks', { name: '混沌', url: receiver.url, types });
  await receiver.trust(data.secret);
}

function startServers(folder: string, services: Services, cells: readonly CellProcess[]): Promise<ServerProcess[]> {
  const addressOf = (id: string) => `esl://127.0.0.1:${cells.find(cell => cell.id === id)?.port ?? 0}`;
  const addresses = {
    postgres: services.databaseUrl,
    redis: services.redisUrl,
    nats: services.natsUrl,
    'cell-1': addressOf('cell-1'),
    'cell-2': addressOf('cell-2'),
  };
  return Promise.all(
    SERVERS.map(async index =>
      serverProcess({ name: `server-${index}`, port: await findFreePort(), folder, addresses, config: configIn(folder), cell: CELL }),
    ),
  );
}
