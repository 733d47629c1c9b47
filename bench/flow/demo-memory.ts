import { join } from 'node:path';
import { sql } from 'kysely';
import { connectDatabase } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { residentMibOf } from '#bench/support/measure.ts';
import { insertNumbered } from '#bench/support/numbered-contacts.ts';
import { INTERNAL_TOKEN, startServe } from '#bench/support/server-process.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { CELL_PASSWORD, startCell } from '#test/chaos/cell-process.ts';
import { roleProcess } from '#test/chaos/child-process.ts';
import { startDurableServices } from '#test/support/durable-services.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import { DEMO } from '#tools/start/demo.ts';
import { logIn } from '#tools/start/rest-client.ts';
import { seedDemo } from '#tools/start/seed.ts';

const ADMIN = { bootstrapAdminUsername: 'admin', bootstrapAdminPassword: 'bench-admin-password' };
const TOKEN = 'bench-nlu-token-of-32-characters';
/** Enough for more than an hour of the demo. */
const CONTACTS = 30_000;
const MINUTE_MS = 60_000;

/**
 * Runs `serve` with the components of `npm start` (simulated switch, runtime, NLU service) and 30 concurrent calls for some minutes.
 *
 * Shape: resident memory of the server after each minute, in MiB; and the number of calls with a result
 */
export async function watchDemo(minutes: number, print: (line: string) => void): Promise<{ residentMib: number[]; calls: number }> {
  await using stack = new AsyncDisposableStack();
  const { folder, services } = await startDurableServices(stack, 'bench');
  await migrate(services.databaseUrl);
  const database = await connectDatabase({ entities: ENTITIES, url: services.databaseUrl, poolSize: 1, statementTimeoutMs: MINUTE_MS });
  stack.defer(() => database.close());
  const { ringMs, talkMs, impatientRate, speed } = DEMO.world;
  const cell = await startCell('demo-cell', {
    folder,
    seed: 7,
    args: ['--ring-ms', ringMs, '--talk-ms', talkMs, '--impatient-rate', impatientRate],
  });
  stack.defer(() => cell.close());
  const nluPort = String(await findFreePort());
  const nlu = {
    CALLOUT_NLU_HOST: '127.0.0.1',
    CALLOUT_NLU_PORT: nluPort,
    CALLOUT_NLU_TOKEN: TOKEN,
    CALLOUT_NLU_URL: `http://127.0.0.1:${nluPort}`,
  };
  const bus = { CALLOUT_NATS_URL: services.natsUrl, CALLOUT_INTERNAL_TOKEN: INTERNAL_TOKEN, CALLOUT_RUNTIME_SPEED: speed };
  for (const role of ['nlu', 'runtime']) {
    const process = roleProcess({ program: ['tools/main.ts', role], env: { ...nlu, ...bus }, logFile: join(folder, `${role}.log`) });
    process.start();
    stack.defer(() => process.stop());
  }
  const server = await startServe(folder, services, {
    auth: { enabled: true, ...ADMIN },
    businesses: [DEMO.business],
    cells: [{ id: 'demo-cell', host: '127.0.0.1', port: cell.port, password: CELL_PASSWORD }],
  });
  stack.defer(() => server.stop());
  const client = await logIn(`http://127.0.0.1:${server.port}`, ADMIN.bootstrapAdminUsername, ADMIN.bootstrapAdminPassword);
  const campaignId = await seedDemo(client, print);
  await insertNumbered(database, campaignId, '139', CONTACTS);
  const residentMib: number[] = [];
  let calls = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(systemClock, MINUTE_MS);
    residentMib.push(residentMibOf(server.pid));
    const row = await database.first(sql<{ results: number }>`select count(*) as results from attempt where result_at is not null`);
    calls = row?.results ?? 0;
    print(`  minute ${minute} of ${minutes}: ${residentMib.at(-1)?.toFixed(0)} MiB, ${calls} results`);
  }
  return { residentMib, calls };
}
