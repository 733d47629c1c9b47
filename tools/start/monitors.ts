import { type Clock, sleep } from '#kernel/clock.ts';
import { createAgentRoute, listAgentsRoute, setOwnStatusRoute } from '#agents/routes.ts';
import {
  claimInterventionRoute,
  heartbeatRoute,
  leaveMonitoringRoute,
  listLiveCallsRoute,
  releaseLiveCallRoute,
} from '#monitoring/routes.ts';
import type { LiveCallView } from '#calls/live-call.ts';
import type { PrintLine } from '../services/service.ts';
import { DEMO } from './demo.ts';
import { ensureUser } from './ensure-user.ts';
import { logIn, type RestClient, RestFailure } from './rest-client.ts';
import type { MonitorCounts } from './snapshot.ts';
import { WORDS } from './words.ts';

/** First extension of the simulated monitors; the demo's agents have the ones before. */
const FIRST_EXTENSION = 1_001 + DEMO.agents.length;
export const MAX_MONITORS = 50;

const CONFLICT = 409;
/** Interval at which a monitor polls their calls, in ms; every third poll is a heartbeat, well within the 10 s of D9.4. */
const LOOK_MS = 1_500;
const LOOKS_PER_BEAT = 3;
/** Interval of retries until the server has seen the phones register, in ms. */
const STATUS_RETRY_MS = 1_000;
const STATUS_TRIES = 60;
/** How long a monitor watches a call without a keyword before they release it to another monitor, in ms. */
const TIRED_AFTER_MS = 25_000;
const PASSWORD_PREFIX = 'monitor-';

export interface SimulatedMonitors {
  counts(): MonitorCounts;
  /** Resolves when all monitors have left. Never rejects. */
  stop(): Promise<void>;
}

export interface MonitorsRequest {
  url: string;
  admin: RestClient;
  campaignId: number;
  count: number;
  clock: Clock;
  /** Part of the monitors' passwords. */
  secret: string;
  print: PrintLine;
}

/**
 * Simulated monitors who watch the demo's calls through the REST interface: they log in, send heartbeats, claim a call when its customer
 * says a keyword, and release calls that need no agent.
 */
export function startMonitors(request: MonitorsRequest): SimulatedMonitors {
  const stopping = new AbortController();
  const people = Array.from({ length: request.count }, (_, index) => new Monitor(request, index, stopping.signal));
  const done = Promise.all(people.map(person => person.run()));
  const sum = (of: (person: Monitor) => number) => people.reduce((total, person) => total + of(person), 0);
  return {
    counts: () => ({
      online: sum(person => (person.isOnline ? 1 : 0)),
      watching: sum(person => person.watching),
      claimed: sum(person => person.claimed),
      active: sum(person => person.active),
    }),
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

class Monitor {
  isOnline = false;
  watching = 0;
  claimed = 0;
  active = 0;
  readonly #request: MonitorsRequest;
  readonly #name: string;
  readonly #extension: string;
  readonly #stopping: AbortSignal;
  /** When each call came into view. */
  readonly #since = new Map<string, number>();
  #lastProblem = '';

  constructor(request: MonitorsRequest, index: number, stopping: AbortSignal) {
    this.#request = request;
    this.#name = `monitor-${index + 1}`;
    this.#extension = String(FIRST_EXTENSION + index);
    this.#stopping = stopping;
  }

  /** Runs until `stopping`; a failure is printed once and retried. */
  async run(): Promise<void> {
    let client: RestClient | null = null;
    for (let look = 0; !this.#stopping.aborted; look++) {
      try {
        client ??= await this.#arrive();
        await this.#look(client, look);
        this.#lastProblem = '';
      } catch (error) {
        this.#say(error);
      }
      await sleep(this.#request.clock, LOOK_MS, this.#stopping);
    }
    this.isOnline = false;
    // The server may be shutting down, and the presence expires by itself.
    await client?.call(leaveMonitoringRoute).catch(() => undefined);
  }

  async #arrive(): Promise<RestClient> {
    const { admin, url, secret } = this.#request;
    const password = `${PASSWORD_PREFIX}${secret}`;
    const userId = await ensureUser(admin, { username: this.#name, displayName: `监听员 ${this.#extension}`, password });
    await this.#ensureAgent(admin, userId);
    const client = await logIn(url, this.#name, password);
    await this.#becomeIdle(client);
    this.isOnline = true;
    return client;
  }

  async #ensureAgent(admin: RestClient, userId: number): Promise<void> {
    const { agents } = await admin.call(listAgentsRoute);
    if (agents.some(agent => agent.userId === userId)) return;
    await admin.call(createAgentRoute, { body: { name: `坐席 ${this.#extension}`, phoneExtension: this.#extension, userId } });
  }

  /** The server refuses it until the phone is registered (D12.1). */
  async #becomeIdle(client: RestClient): Promise<void> {
    for (let tries = 1; !this.#stopping.aborted; tries++) {
      try {
        await client.call(setOwnStatusRoute, { body: { status: 'idle' } });
        return;
      } catch (error) {
        if (!isConflict(error) || tries === STATUS_TRIES) throw error;
        await sleep(this.#request.clock, STATUS_RETRY_MS, this.#stopping);
      }
    }
  }

  async #look(client: RestClient, look: number): Promise<void> {
    const { campaignId } = this.#request;
    if (look % LOOKS_PER_BEAT === 0) await client.call(heartbeatRoute, { body: { campaignId, tabId: this.#name } });
    const { calls } = await client.call(listLiveCallsRoute, { query: { campaignId } });
    const mine = calls.filter(call => call.status === 'live' && call.monitorViewMode === 'active');
    this.watching = mine.length;
    this.active = mine.filter(call => isUnderWay(call)).length;
    this.#forget(mine);
    const wanted = mine.find(call => call.intentHits.length > 0 && call.intervention === null);
    if (this.active === 0 && wanted) await this.#stepIn(client, wanted);
    else await this.#releaseIdleCall(client, mine);
  }

  async #stepIn(client: RestClient, { callKey, attemptId, intentHits }: LiveCallView): Promise<void> {
    await unlessConflict(async () => {
      await client.call(claimInterventionRoute, { params: { callKey } });
      this.claimed += 1;
      this.active = 1;
      this.#request.print(WORDS.stepsIn(this.#name, attemptId, intentHits.at(-1)?.keyword ?? ''));
    });
  }

  async #releaseIdleCall(client: RestClient, mine: readonly LiveCallView[]): Promise<void> {
    const now = this.#request.clock.now();
    const tired = mine.find(
      call => !isUnderWay(call) && call.intentHits.length === 0 && now - (this.#since.get(call.callKey) ?? now) > TIRED_AFTER_MS,
    );
    if (tired) await unlessConflict(async () => void (await client.call(releaseLiveCallRoute, { params: { callKey: tired.callKey } })));
  }

  #forget(mine: readonly LiveCallView[]): void {
    const keys = new Set(mine.map(call => call.callKey));
    for (const key of this.#since.keys()) if (!keys.has(key)) this.#since.delete(key);
    for (const key of keys) if (!this.#since.has(key)) this.#since.set(key, this.#request.clock.now());
  }

  #say(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    if (this.#stopping.aborted || problem === this.#lastProblem) return;
    this.#lastProblem = problem;
    this.#request.print(WORDS.cannotGoOn(this.#name, problem));
  }
}

function isUnderWay({ intervention }: LiveCallView): boolean {
  return intervention !== null && ['requested', 'transferring', 'active'].includes(intervention.status);
}

function isConflict(error: unknown): boolean {
  return error instanceof RestFailure && error.status === CONFLICT;
}

/** Ignores a conflict: another monitor was faster, or the call has ended. */
async function unlessConflict(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}
