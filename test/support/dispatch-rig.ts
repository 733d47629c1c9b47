import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql } from 'kysely';
import type { Routes } from '#tools/switch/dial-string.ts';
import { type FindA1Hash, productDirectory } from '#tools/switch/sip/directory.ts';
import type { Phone } from '#tools/switch/phone.ts';
import { PHONE_DIRECTORY_PATH } from '#agents/phone-directory-page.ts';
import { startSwitchSimulator, type SwitchSimulator } from '#tools/switch/simulator.ts';
import { DEFAULT_WORLD, type World } from '#tools/switch/world.ts';
import { runtimeSubject, START_PROBE_SUBJECT, START_SUBJECTS } from '#protocol/subjects.ts';
import { systemClock } from '#kernel/clock.ts';
import { type Log, silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { type ConfigOverrides, INTERNAL_TOKEN, startTestServer, type TestServer } from './server.ts';
import { signedBy } from './signed.ts';
import { waitUntil } from './wait-until.ts';
import { within } from './within.ts';

export const SWITCH_PASSWORD = 'ClueCon';
export const CELL = 'cell-1';

/** A world whose customers react within milliseconds, so that a test's campaign takes seconds. */
export const QUICK_WORLD: World = {
  ...DEFAULT_WORLD,
  networkMs: { minMs: 1, maxMs: 10 },
  ringMs: { minMs: 5, maxMs: 30 },
  talkMs: { minMs: 60, maxMs: 250 },
};

export const everybody = (kind: keyof World['rates'], world: Partial<World> = {}): World => ({
  ...QUICK_WORLD,
  ...world,
  rates: { answer: 0, busy: 0, noAnswer: 0, reject: 0, unreachable: 0, voicemail: 0, [kind]: 1 },
});

export interface CampaignFields {
  contacts?: readonly string[];
  maxConcurrency?: number;
  maxRetries?: number;
  retryIntervalSeconds?: number;
  callIntervalMs?: number;
  lineMaxConcurrency?: number;
  [field: string]: unknown;
}

export interface DispatchRig {
  server: TestServer;
  simulator: SwitchSimulator;
  token: string;
  /** Request ids of the calls that the runtime accepted. */
  taken: string[];
  /** Sends a request as the administrator; fails unless the response is 200. */
  ask(method: string, path: string, body?: unknown): ReturnType<TestServer['api']>;
  /** Creates a campaign with its own line and contacts. */
  campaign(request?: CampaignFields): Promise<{ id: number; lineId: number }>;
  start(campaignId: number): Promise<void>;
  detail(campaignId: number): ReturnType<TestServer['api']>;
  /** Attempts of the campaign, newest first. */
  attempts(campaignId: number): Promise<AttemptRow[]>;
  untilStatus(campaignId: number, status: string): Promise<void>;
  /** Number of slots in use on the cell. */
  slotsInUse(): Promise<number>;
  close(): Promise<void>;
}

/** Deletes everything in the cache except sessions, like a restart without its data: slots, live calls and locks are lost. */
export async function wipeLiveState(server: TestServer): Promise<void> {
  await server.running.context.redis.run(async redis => {
    const keys = (await redis.keys('*')).filter(key => !key.startsWith('session'));
    if (keys.length > 0) await redis.del(...keys);
  });
}

export interface AttemptRow {
  id: number;
  requestId: string;
  contactId: number;
  phoneNumber: string;
  status: string;
  callStatus: string | null;
  hangupCause: string | null;
}

/**
 * Starts the real server, services and simulator, with a runtime that accepts every answered call and reports the result when the customer
 * hangs up.
 */
export async function startDispatchRig(
  options: {
    world?: World;
    config?: ConfigOverrides;
    reportsResults?: boolean;
    /** False when the test itself reports that the runtime has begun to speak. */
    reportsStarts?: boolean;
    /** False when the test starts its own runtime. */
    playsRuntime?: boolean;
    /** Limit of the switch; `maxOriginatesPerSecond` is the limit in the cell's configuration. */
    sessionsPerSecond?: number;
    maxOriginatesPerSecond?: number;
    originateTimeoutSeconds?: number;
    /** Folder from which the server reads recordings. */
    recordingFolder?: string;
    /** Destinations of dial strings; the test may change them at run time. */
    routes?: Routes;
    /** Phones of the agents. */
    phones?: readonly Phone[];
    /** Whether agents' browsers can register at the switch, with passwords from the server's directory. */
    hasBrowserPhones?: boolean;
    log?: Log;
    /** Folder of the built console; none is served when absent. */
    consoleFolder?: string;
  } = {},
): Promise<DispatchRig> {
  const directory: { url: string } = { url: '' };
  const findA1Hash: FindA1Hash = question => productDirectory(directory.url, INTERNAL_TOKEN)(question);
  const simulator = await within(
    'the start of the switch',
    startSwitchSimulator({
      host: '127.0.0.1',
      port: 0,
      password: SWITCH_PASSWORD,
      random: seededRandom(7),
      clock: systemClock,
      log: silentLog,
      world: options.world ?? everybody('answer'),
      eventPollMs: 0,
      showLagMs: 0,
      sessionsPerSecond: options.sessionsPerSecond ?? 1_001,
      ...(options.routes ? { routes: options.routes } : {}),
      ...(options.phones ? { phones: options.phones } : {}),
      ...(options.hasBrowserPhones === true ? { browserPhones: { port: 0, findA1Hash } } : {}),
    }),
  );
  const cells = [
    {
      id: CELL,
      host: '127.0.0.1',
      port: simulator.port,
      password: SWITCH_PASSWORD,
      maxOriginatesPerSecond: options.maxOriginatesPerSecond ?? 1_000,
      originateTimeoutSeconds: options.originateTimeoutSeconds ?? 5,
      ...(options.recordingFolder === undefined ? {} : { recordingFolder: options.recordingFolder }),
    },
  ];
  const server = await startTestServer({
    config: {
      businesses: [{ businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true }],
      cells,
      ...phoneConfig(simulator.phonePort),
      ...options.config,
    },
    ...(options.log ? { log: options.log } : {}),
    ...(options.consoleFolder === undefined ? {} : { consoleFolder: options.consoleFolder }),
  });
  directory.url = `${server.url}${PHONE_DIRECTORY_PATH}`;
  const token = await within('the login', server.loginAs('admin'));
  const runtime =
    options.playsRuntime === false
      ? null
      : await within(
          'the start of the runtime',
          startTestRuntime(server, simulator, {
            reportsStarts: options.reportsStarts ?? true,
            reportsResults: options.reportsResults ?? true,
          }),
        );
  await waitUntil('the cell to come up', async () => (await server.api('GET', '/health')).data.switch[0]?.ok === true);
  await waitUntil(
    'the slot registry to open',
    async () => !(await server.running.context.redis.run(async redis => (await redis.exists('s:{0}:epoch')) === 0)),
  );
  const calls = campaignCalls(server, token);
  return {
    server,
    simulator,
    token,
    taken: runtime?.taken ?? [],
    ...calls,
    async close() {
      await runtime?.close();
      await server.close();
      await simulator.close();
    },
  };
}

/** Key with which a server of the tests keeps the passwords of phones. */
export const PHONE_KEY = 'ab'.repeat(32);

/** `port`: of the switch for agents' browsers; null: there is none. */
function phoneConfig(port: number | null): ConfigOverrides {
  return port === null ? {} : { agents: { secretKey: PHONE_KEY, sipRealm: '127.0.0.1', wsServers: [`ws://127.0.0.1:${port}`] } };
}

function campaignCalls(server: TestServer, token: string) {
  let nextLine = 1;
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.api(method, path, body, token);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  };
  return {
    ask,
    async campaign({ contacts = [], lineMaxConcurrency = 100, ...fields }: CampaignFields = {}) {
      const line = await ask('POST', '/api/lines', {
        name: '测试线路',
        code: `line-${nextLine++}`,
        dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
        maxConcurrency: lineMaxConcurrency,
        allocationMode: 'single_shared',
        callerIdNumber: '02166660000',
      });
      const lineId = Number(line.data.line.id);
      const created = await ask('POST', '/api/campaigns', {
        name: '测试活动',
        businessCode: 'demo',
        lineIds: [lineId],
        maxConcurrency: 10,
        ...fields,
      });
      const id = Number(created.data.campaign.id);
      if (contacts.length > 0)
        await ask('POST', `/api/campaigns/${id}/contacts`, { contacts: contacts.map(phoneNumber => ({ phoneNumber })) });
      return { id, lineId };
    },
    async start(campaignId: number) {
      await ask('PATCH', `/api/campaigns/${campaignId}`, { status: 'running' });
    },
    detail: (campaignId: number) => ask('GET', `/api/campaigns/${campaignId}`),
    async attempts(campaignId: number): Promise<AttemptRow[]> {
      const rows: AttemptRow[] = [];
      for (let page = 1; ; page++) {
        const { data } = await ask('GET', `/api/call-attempts?campaignId=${campaignId}&pageSize=200&page=${page}`);
        rows.push(...(data.rows as AttemptRow[]));
        if (rows.length >= Number(data.total)) return rows;
      }
    },
    async untilStatus(campaignId: number, status: string) {
      // Not by a request: its answer has every contact, and is compared with its contract each time.
      const current = sql<{ status: string }>`select status from campaign where id = ${campaignId}`;
      await waitUntil(
        `campaign ${campaignId} to be ${status}`,
        async () => (await server.running.context.database.first(current))?.status === status,
        60_000,
      );
    },
    async slotsInUse() {
      const { data } = await ask('GET', '/api/runtime/overview');
      return Number(data.cellConcurrency[0].active);
    },
  };
}

/**
 * Accepts calls over NATS and talks with the customer as a real runtime does; reports each result over REST after the customer hangs up.
 */
async function startTestRuntime(
  server: TestServer,
  simulator: SwitchSimulator,
  { reportsStarts, reportsResults }: { reportsStarts: boolean; reportsResults: boolean },
) {
  const connection = await connect({ servers: new URL(server.nats.url).host, ...credentials(server.nats.url) });
  const taken: string[] = [];
  connection.subscribe(START_SUBJECTS, {
    queue: 'test-runtime',
    callback: (_error, message) => {
      // The server only probes whether a runtime accepts calls here: any reply will do.
      if (message.subject === START_PROBE_SUBJECT) {
        message.respond('{"ok":false,"code":"INVALID","msg":"no call"}');
        return;
      }
      const requestId = message.subject.split('.')[3] ?? '';
      if (!taken.includes(requestId)) taken.push(requestId);
      message.respond('{"ok":true}');
      if (reportsStarts) reportStart(connection, requestId);
      simulator.attend(requestId);
    },
  });
  connection.subscribe('callout.v1.command.*.hangup', {
    callback: (_error, message) => {
      message.respond('{"ok":true}');
      const requestId = message.subject.split('.')[3] ?? '';
      if (reportsResults)
        void server.internal('POST', '/api/call-results', {
          requestId,
          callStatus: 'completed',
          payload: { result: { recognizedText: '好的' } },
          transcript: [{ speaker: 'customer', text: '好的' }],
        });
    },
  });
  await connection.flush();
  return { taken, close: () => connection.close() };
}

/** Reports, as a runtime does, that it speaks with the customer. */
export function reportStart(connection: NatsConnection, requestId: string): void {
  const [subject, text] = [runtimeSubject('started', requestId), JSON.stringify({ requestId, kind: 'started', seq: 0 })];
  connection.publish(subject, text, signedBy(INTERNAL_TOKEN, { subject, text }));
}

function credentials(url: string) {
  const { username, password } = new URL(url);
  return username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

/** Distinct invented phone numbers. */
export function numbers(count: number, from = 13_900_000_000): string[] {
  return Array.from({ length: count }, (_, index) => String(from + index * 100 + 50));
}

/** The highest number of simultaneous channels of any one called number, of any one campaign, or of the whole switch. */
export function maxAtOnce(simulator: SwitchSimulator, by: 'all' | 'destination' | 'campaign'): number {
  const { concurrency } = simulator.record();
  if (by === 'all') return concurrency.all.max;
  const counted = concurrency.by[by === 'destination' ? 'destination' : 'callout_campaign_id'] ?? {};
  return Math.max(0, ...Object.values(counted).map(count => count.max));
}
