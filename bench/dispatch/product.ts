import { natsWakes } from '#platform/nats/signals.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import type { Database } from '#platform/postgres/database.ts';
import { softphoneRepository } from '#agent-calls/agent-call-store.ts';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import { configShape } from '#platform/config/shape.ts';
import { createEngine } from '#app/call-engine.ts';
import { dispatchSettings } from '#app/settings.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import { handleChannelEvent } from '#calls/switch-events.ts';
import { runTurn } from '#dialling/turn.ts';
import type { DispatchSettings } from '#dialling/settings.ts';
import type { Bus } from '#platform/nats/bus.ts';
import { localRouter } from '#test/support/actor-carriers.ts';
import type { CellState, OriginateReply, SwitchEvent, SwitchPort } from '#platform/freeswitch/switch.ts';
import { noMetrics } from '#test/support/no-metrics.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';

const CONFIG = configShape.parse({});
/** Contacts claimed in one turn. */
export const BATCH_SIZE = CONFIG.dispatch.batchSize;
const SEND_DEADLINE_MS = 10_000;
/** Batches with dials in progress at once. */
const MAX_UNDER_WAY = 8;
const MAX_IDLE_TURNS = 500;
export const CELL_COUNT = 4;
/** No pacing: the bench measures what the dispatcher can do. */
const UNPACED = 1_000_000_000;

/** The product's defaults, except that no dial counts as too late on a busy machine. */
export const SETTINGS: DispatchSettings = {
  ...dispatchSettings({ ...CONFIG, server: { ...CONFIG.server, instanceId: 'bench' } }),
  sendDeadlineMs: SEND_DEADLINE_MS,
};

type HungUp = Extract<SwitchEvent, { kind: 'hung_up' }>;

export const CELLS: readonly CellState[] = Array.from({ length: CELL_COUNT }, (_, index) => ({
  cellId: `cell-${index}`,
  isEnabled: true,
  state: 'up',
  since: 0,
  maxConcurrency: 0,
  maxOriginatesPerSecond: UNPACED,
}));

/** Dials a campaign with the product's own engine until `count` dials have ended; every number is busy. */
export async function dialWithProduct(
  stores: { database: Database; redis: RedisLink },
  campaignId: number,
  count: number,
): Promise<{ dialled: number }> {
  const underWay = new Set<Promise<unknown>>();
  const events = new Set<Promise<unknown>>();
  const track = (work: Promise<unknown>) => {
    events.add(work);
    void work.finally(() => events.delete(work));
  };
  let dialled = 0;
  const engine = createEngine({
    db: stores.database,
    redis: stores.redis,
    bus: DEAF_BUS,
    wakes: natsWakes(DEAF_BUS),
    freed: () => undefined,
    metrics: noMetrics,
    switchPort: busySwitch(event => {
      dialled += 1;
      track(handleChannelEvent(engine.parts, event));
    }),
    actors: localRouter(),
    softphoneCalls: softphoneRepository(stores.database),
    events: runtimeEventRepository(stores.database, { publish: () => undefined }),
    clock: systemClock,
    random: systemRandom,
    ids: systemIds,
    log: silentLog,
    settings: SETTINGS,
    mediaOf: () => ({}),
    isInConference: async () => false,
    preDial: { ask: async () => null },
  });
  let [claimed, idleTurns] = [0, 0];
  while (claimed < count) {
    const outcome = await runTurn(engine.parts, campaignId);
    claimed += outcome.claimed;
    idleTurns = outcome.claimed === 0 ? idleTurns + 1 : 0;
    if (idleTurns > MAX_IDLE_TURNS)
      throw new Error(
        `the product claims nothing: ${JSON.stringify((await requireRow({ db: stores.database }, CAMPAIGN_TABLE, campaignId, '活动')).phaseReason)}`,
      );
    const work = outcome.dialling.finally(() => underWay.delete(work));
    underWay.add(work);
    if (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  // The last event comes one turn of the event loop after its reply.
  await sleep(systemClock, 1);
  await Promise.all(events);
  await engine.parts.calls.idle();
  return { dialled };
}

/** Accepts every call and reports busy at once, in the order of a switch: first the job's result, then the channel's end. */
function busySwitch(hungUp: (event: HungUp) => void): SwitchPort {
  const reply: OriginateReply = { kind: 'accepted', replyText: '+OK' };
  return {
    originate: ({ cellId, requestId }) => {
      setImmediate(() =>
        hungUp({
          kind: 'hung_up',
          cellId,
          requestId,
          at: systemClock.now(),
          eventId: `core:${requestId}`,
          cause: 'USER_BUSY',
          by: 'customer',
          answeredAt: null,
          progressAt: null,
        }),
      );
      return Promise.resolve(reply);
    },
    hangup: () => Promise.resolve('absent'),
    dismiss: () => Promise.resolve('absent'),
    probe: () => Promise.resolve({ kind: 'absent' } as const),
    channels: () => Promise.resolve([]),
    setVariables: () => Promise.resolve(),
    gatewayDomain: () => Promise.resolve(null),
    gatewayStatus: () => Promise.resolve({ state: 'unknown', since: 0, detail: null }),
    cells: () => CELLS,
    subscribe: () => () => undefined,
  };
}

/** A bus that delivers nothing: wake-ups and deltas are measured with the whole stack (bench/flow). */
const DEAF_BUS: Bus = {
  publish: () => undefined,
  publishCalmly: () => undefined,
  request: () => Promise.reject(new Error('nobody listens')),
  subscribe: () => () => undefined,
  consumeReports: () => Promise.resolve(() => Promise.resolve()),
  isConnected: () => true,
  onChange: () => () => undefined,
};
