import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connectDatabase } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { startSwitchSimulator } from '#tools/switch/simulator.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { freshDatabase } from '#test/support/database.ts';
import { everybody, numbers } from '#test/support/dispatch-rig.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { ADMIN, INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startStubbornRuntime } from './stubborn-runtime.ts';

const ROOT = join(import.meta.dirname, '../..');
const PASSWORD = 'ClueCon';

export interface ServeProcess {
  child: ChildProcess;
  url: string;
  output(): string;
  errors(): string;
  /** Exit code, or the signal's name. */
  exit: Promise<number | string | null>;
  api(method: string, path: string, body?: unknown): Promise<{ status: number; data: Record<string, unknown>; msg: string }>;
  /** The administrator's session token. */
  token: string;
}

export interface ServeRig {
  simulator: Awaited<ReturnType<typeof startSwitchSimulator>>;
  redis: PrivateService;
  nats: PrivateService;
  /** Starts on a free port when none is given. */
  serve(port?: number): Promise<ServeProcess>;
  /** Starts a campaign. */
  start(server: ServeProcess, contacts: number, request?: Record<string, unknown>): Promise<number>;
  untilDialled(count: number): Promise<void>;
  untilCompleted(campaignId: number): Promise<void>;
  /** Statuses of the attempts that are not finished. */
  openAttempts(): Promise<string[]>;
  rows: Awaited<ReturnType<typeof connectDatabase>>['rows'];
  close(): Promise<void>;
}

/** The switch, the services and a runtime outside, so that server processes can start and stop. */
export async function startServeRig(options: {
  talkMs: { minMs: number; maxMs: number };
  drainTimeoutMs?: number;
  logLevel?: string;
  /** Further sections of the configuration. */
  config?: Record<string, unknown>;
}): Promise<ServeRig> {
  const simulator = await startSwitchSimulator({
    host: '127.0.0.1',
    port: 0,
    password: PASSWORD,
    random: seededRandom(11),
    clock: systemClock,
    log: silentLog,
    world: everybody('answer', { talkMs: options.talkMs }),
    eventPollMs: 0,
    showLagMs: 0,
    sessionsPerSecond: 1_001,
  });
  const [fresh, redis, nats] = await Promise.all([freshDatabase(), startPrivateService('redis', 'durable'), startPrivateService('nats')]);
  const folder = await mkdtemp(join(tmpdir(), 'callout-serve-'));
  const configFile = join(folder, 'config.json');
  await writeFile(configFile, JSON.stringify({ ...configOf(simulator.port, options.drainTimeoutMs ?? 5_000), ...options.config }));
  const env = {
    PATH: process.env['PATH'],
    CALLOUT_CONFIG: configFile,
    CALLOUT_DATABASE_URL: fresh.url,
    CALLOUT_REDIS_URL: redis.url,
    CALLOUT_NATS_URL: nats.url,
    CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    CALLOUT_INTERNAL_TOKEN: INTERNAL_TOKEN,
    CALLOUT_LOG_LEVEL: options.logLevel ?? 'info',
  };
  const database = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: 5_000 });
  const runtime = await startStubbornRuntime(nats.url, simulator);
  const children: ChildProcess[] = [];
  return {
    simulator,
    redis,
    nats,
    rows: database.rows,
    serve: (port = 0) => launchServe({ ...env, CALLOUT_PORT: String(port) }, child => children.push(child)),
    start: startCampaign,
    async untilDialled(count) {
      await waitUntil(`${count} dials`, () => simulator.record().totals.originates >= count);
    },
    async untilCompleted(campaignId) {
      await waitUntil('the campaign to complete', async () => {
        const [row] = await database.rows(
          sql<{ status: string; phase: string }>`select status, phase from campaign where id = ${campaignId}`,
        );
        if (row?.status !== 'completed') throw new Error(JSON.stringify(row));
        return true;
      });
    },
    async openAttempts() {
      const open = sql<{ status: string }>`select status from attempt where status in ('claimed', 'dialing', 'accepted', 'answered')`;
      return (await database.rows(open)).map(row => row.status);
    },
    async close() {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
      await runtime.close();
      await Promise.all([database.close(), simulator.close()]);
      await Promise.all([fresh.drop(), redis.stop(), nats.stop(), rm(folder, { recursive: true })]);
    },
  };
}

function configOf(switchPort: number, drainTimeoutMs: number) {
  return {
    server: { host: '127.0.0.1', port: 0, drainTimeoutMs },
    dispatch: { graceMs: 600, resultGraceSeconds: 8, reservationLeaseMs: 2_000 },
    businesses: [{ businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true }],
    cells: [
      { id: 'cell-1', host: '127.0.0.1', port: switchPort, password: PASSWORD, maxOriginatesPerSecond: 1_000, originateTimeoutSeconds: 5 },
    ],
  };
}

/** Starts a server process with the services in `env`, and logs the administrator in; `onSpawn` receives the process before it works. */
export async function launchServe(
  env: Record<string, string | undefined>,
  onSpawn: (child: ChildProcess) => void = () => undefined,
): Promise<ServeProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts', 'serve'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  onSpawn(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', chunk => (output += String(chunk)));
  child.stderr.on('data', chunk => (errors += String(chunk)));
  const exit = new Promise<number | string | null>(resolve => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const line = await waitUntil('the server to listen', () => {
    if (child.exitCode !== null) throw new Error(errors);
    return output.split('\n').find(text => text.includes('callout is listening'));
  });
  const url = `http://127.0.0.1:${Number(JSON.parse(line).port)}`;
  let token = '';
  const api: ServeProcess['api'] = async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const { data, msg } = (await answer.json()) as { data: Record<string, unknown>; msg: string };
    return { status: answer.status, data, msg };
  };
  await waitUntil('the cell', async () => ((await api('GET', '/health')).data['switch'] as { ok: boolean }[])[0]?.ok);
  const session = await waitUntil('the sign-in', async () => (await api('POST', '/api/auth/login', ADMIN)).data?.['token']);
  token = session as string;
  return { child, url, output: () => output, errors: () => errors, exit, api, token };
}

let nextLine = 1;

async function startCampaign(server: ServeProcess, contacts: number, request: Record<string, unknown> = {}): Promise<number> {
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await server.api(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.msg}`);
    return answer.data as Record<string, { id: number }>;
  };
  const { line } = await ask('POST', '/api/lines', {
    name: '线路',
    code: `line-${nextLine++}`,
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    maxConcurrency: 100,
    allocationMode: 'single_shared',
    callerIdNumber: '02166660000',
  });
  const campaign = { name: '活动', businessCode: 'demo', lineIds: [line?.id], maxConcurrency: 6, ...request };
  const id = (await ask('POST', '/api/campaigns', campaign))['campaign']?.id ?? 0;
  await ask('POST', `/api/campaigns/${id}/contacts`, { contacts: numbers(contacts).map(phoneNumber => ({ phoneNumber })) });
  await ask('PATCH', `/api/campaigns/${id}`, { status: 'running' });
  return id;
}
