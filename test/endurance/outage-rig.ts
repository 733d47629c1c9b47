import { sql } from 'kysely';
import { sleep, systemClock } from '#kernel/clock.ts';
import { type DispatchRig, everybody, maxAtOnce, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { ADMIN, type ConfigOverrides } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type CapturedLog, captureLog } from '#test/support/captured-log.ts';
import { startStubbornRuntime } from '#test/support/stubborn-runtime.ts';

/** Dependencies that a test can take away from a running campaign. */
export interface OutageRig {
  rig: DispatchRig;
  redis: PrivateService;
  postgres: PrivateService;
  nats: PrivateService;
  log: CapturedLog;
  /** Results that the runtime has published. */
  reported: ReadonlySet<string>;
  /** Starts a campaign and waits until its calls flow. */
  running(contacts: number, request?: Record<string, unknown>): Promise<number>;
  /** Attempts of a campaign by status, from the database: sessions may be lost. */
  statuses(campaignId: number): Promise<Record<string, number>>;
  untilCompleted(campaignId: number): Promise<void>;
  untilSlotsDrain(): Promise<void>;
  /** Polls the documented endpoints until `stop`. */
  probe(campaignId: number): Prober;
  close(): Promise<void>;
}

export interface Probe {
  what: string;
  status: number;
  ms: number;
  text: string;
}

export interface Prober {
  probes: readonly Probe[];
  stop(): Promise<void>;
}

/** Shortened timeouts, so that a test reaches all of them. */
const IMPATIENT: ConfigOverrides = {
  dispatch: { graceMs: 600, resultGraceSeconds: 20, reservationLeaseMs: 2_000 },
};
const STATEMENT_TIMEOUT_MS = 1_500;
/** A few seconds on a quiet machine; longer on a busy one, in ms. */
const COMPLETION_LIMIT_MS = 90_000;
/** Longest duration of any request: a statement's timeout, its margin, and a connection's; then the response itself. */
export const LONGEST_ANSWER_MS = 2 * (STATEMENT_TIMEOUT_MS + 2_000) + 3_000;
/** Longer than the promised 5 s, because the test machine may be slow. */
export const GOES_ON_WITHIN_MS = 12_000;

/** The server with a cache, a database and a bus that can each be killed, frozen and restarted. */
export async function startOutageRig(options: { redisProfile?: 'test' | 'durable' } = {}): Promise<OutageRig> {
  const log = captureLog();
  const [redis, postgres] = await Promise.all([
    startPrivateService('redis', options.redisProfile ?? 'durable'),
    startPrivateService('postgres', 'durable'),
  ]);
  const rig = await startDispatchRig({
    log: log.log,
    world: everybody('answer', { talkMs: { minMs: 100, maxMs: 300 } }),
    config: {
      ...IMPATIENT,
      cache: { url: redis.url },
      database: { url: postgres.url, migrateOnStart: true, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    },
    reportsResults: false,
  });
  const runtime = await startStubbornRuntime(rig.server.nats.url, rig.simulator);
  const { database } = rig.server.running.context;
  const first = <T>(query: ReturnType<typeof sql<T>>) => database.first(query);
  return {
    rig,
    redis,
    postgres,
    nats: rig.server.nats,
    log,
    reported: runtime.reported,
    async running(contacts, request = {}) {
      const { id } = await rig.campaign({ contacts: numbers(contacts), maxConcurrency: 6, ...request });
      await rig.start(id);
      await waitUntil('calls to flow', () => rig.simulator.record().totals.answered >= 8);
      return id;
    },
    async statuses(campaignId) {
      const rows = await database.rows(
        sql<{
          status: string;
          count: number;
        }>`select status, count(*)::int as count from attempt where campaign_id = ${campaignId} group by status`,
      );
      return Object.fromEntries(rows.map(row => [row.status, row.count]));
    },
    async untilCompleted(campaignId) {
      await waitUntil(
        `campaign ${campaignId} to complete`,
        async () => {
          const row = await first(sql<{ status: string; phase: string }>`select status, phase from campaign where id = ${campaignId}`);
          if (row?.status !== 'completed') throw new Error(JSON.stringify(row));
          return true;
        },
        COMPLETION_LIMIT_MS,
      );
    },
    async untilSlotsDrain() {
      const { redis: link } = rig.server.running.context;
      await waitUntil('slots to drain', async () => (await link.run(client => client.zcard('s:{0}:exp'))) === 0);
    },
    probe: campaignId => startProber(rig, campaignId),
    async close() {
      await runtime.close();
      await rig.close();
      await Promise.all([redis.stop(), postgres.stop()]);
    },
  };
}

export function expectNobodyTwice(rig: DispatchRig, limit: number): void {
  const found = {
    sameNumberAtOnce: maxAtOnce(rig.simulator, 'destination'),
    aboveLimit: Math.max(0, maxAtOnce(rig.simulator, 'all') - limit),
  };
  if (found.sameNumberAtOnce > 1 || found.aboveLimit > 0) throw new Error(`limits were broken: ${JSON.stringify(found)}`);
}

/** Waits for the first originate after `since`; resolves to its delay in ms. */
export async function untilDialsGoOn(rig: DispatchRig, since: number): Promise<number> {
  const at = await waitUntil(
    'a dial after the return',
    () => rig.simulator.record().originates.find(originate => originate.at >= since)?.at ?? 0,
    GOES_ON_WITHIN_MS,
  );
  return at - since;
}

/** Responses of one kind of probe, counted by status. */
export function statusesOf(probes: readonly Probe[], what?: string): number[] {
  return [...new Set(probes.filter(probe => what === undefined || probe.what === what).map(probe => probe.status))].sort((a, b) => a - b);
}

const PROBE_PAUSE_MS = 60;

function startProber(rig: DispatchRig, campaignId: number): Prober {
  const probes: Probe[] = [];
  const stopping = new AbortController();
  const { server, token } = rig;
  const unknownCall = '00000000-0000-4000-8000-000000000000';
  const asked: Record<string, () => ReturnType<typeof server.api>> = {
    health: () => server.api('GET', '/health'),
    live: () => server.api('GET', '/health/live'),
    metrics: () => server.internal('GET', '/metrics'),
    login: () => server.api('POST', '/api/auth/login', ADMIN),
    lines: () => server.api('GET', '/api/lines', undefined, token),
    overview: () => server.api('GET', '/api/runtime/overview', undefined, token),
    dispatch: () => server.api('POST', `/api/campaigns/${campaignId}/dispatch`, { limit: 1 }, token),
    preflight: () => server.api('GET', `/api/campaigns/${campaignId}/preflight`, undefined, token),
    result: () => server.internal('POST', '/api/call-results', { requestId: unknownCall, callStatus: 'completed' }),
    progress: () => server.internal('POST', '/api/call-progress', { requestId: unknownCall, kind: 'started' }),
  };
  const loops = Object.entries(asked).map(async ([what, ask]) => {
    while (!stopping.signal.aborted) {
      const began = systemClock.monotonic();
      const { status, text } = await ask();
      probes.push({ what, status, ms: Math.round(systemClock.monotonic() - began), text });
      await sleep(systemClock, PROBE_PAUSE_MS, stopping.signal);
    }
  });
  return {
    probes,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
