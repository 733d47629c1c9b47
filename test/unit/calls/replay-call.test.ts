import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { CallPerson } from '#actors/call/people.ts';
import { type CallActorEvent, callAggregate, callJournal, type CallMeta, type CallState, openCall } from '#calls/call-actor.ts';
import { replayCall } from '#calls/replay-call.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import type { StoredJournal } from '#platform/actor-host/actor-store.ts';
import { packJournal, unpackJournal } from '#platform/actor-host/journal.ts';
import { pumpOnce } from '#platform/actor-host/pumps.ts';
import { replay } from '#platform/actor-host/replay.ts';
import { MemoryActorStore } from '#test/support/memory-actor-store.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const META = { requestId: ID, attemptId: 1, campaignId: 1, cellId: 'cell-1', businessConfig: {} } as CallMeta;
const INPUT = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000, epoch: 0 };
const RUNS = 300;
const TIMEOUT_MS = 120_000;

const at = fc.integer({ min: 1_000, max: 90_000 });
const epoch = fc.integer({ min: 0, max: 3 });
const runtimeId = fc.constantFrom('runtime-1', 'runtime-2', null);
const id = fc.constantFrom('claim-1', 'claim-2');
const person: fc.Arbitrary<CallPerson> = fc.record({
  legUuid: fc.constantFrom('leg-1', 'leg-2'),
  agentId: fc.constant(1),
  userId: fc.constantFrom(1, null),
  joinedAt: fc.option(at),
  leftAt: fc.option(at),
  hasHandedOver: fc.boolean(),
});

/** Events of any kind in any order, as a network may deliver them. */
const event: fc.Arbitrary<CallActorEvent> = fc.oneof(
  fc.constantFrom<CallActorEvent>(
    { type: 'dialAccepted' },
    { type: 'dialUnknown' },
    { type: 'dialNotSent', reason: '未发出' },
    { type: 'channelCreated' },
    { type: 'channelRinging' },
    { type: 'channelSuspected' },
    { type: 'speechDue' },
    { type: 'hangupRequested', cause: 'NORMAL_CLEARING', by: 'system' },
  ),
  at.map(at => ({ type: 'channelAnswered' as const, at })),
  fc.record({
    type: fc.constant('channelHungUp' as const),
    at,
    cause: fc.constantFrom('NORMAL_CLEARING', 'USER_BUSY'),
    callStatus: fc.constantFrom('completed' as const, 'busy' as const),
    by: fc.constantFrom('customer' as const, 'bot' as const, null),
    answeredAt: fc.option(at),
  }),
  fc.record({ type: fc.constant('channelFound' as const), answeredAt: fc.option(at), isHeard: fc.constantFrom(true, false, null) }),
  fc.record({ type: fc.constant('channelMissing' as const), sightings: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ type: fc.constant('runtimeAccepted' as const), runtimeId, epoch, heldEpoch: fc.constantFrom(undefined, 2) }),
  fc.record({ type: fc.constant('runtimeDeclined' as const), runtimeId, epoch }),
  fc.record({ type: fc.constant('runtimeLost' as const), runtimeId }),
  fc.record({ type: fc.constant('runtimeStarted' as const), at, runtimeId, epoch }),
  fc.record({ type: fc.constant('runtimeEnded' as const), runtimeId, epoch }),
  fc.record({
    type: fc.constant('speechFound' as const),
    epoch,
    botMark: fc.constantFrom('b-1', null),
    lastMark: fc.constantFrom('c-1', null),
    isCustomers: fc.boolean(),
    isElsewhere: fc.boolean(),
  }),
  fc.record({ type: fc.constant('resultReported' as const), at }),
  fc.array(person, { maxLength: 2 }).map(people => ({ type: 'legsReported' as const, people })),
  at.map(at => ({ type: 'intentHeard' as const, hits: [{ keyword: '投诉', segmentId: `s-${at}`, at }] })),
  fc.record({
    type: fc.constant('interventionClaimed' as const),
    id,
    userId: fc.constant(7),
    agentId: fc.constantFrom(1, null),
    isSupervisor: fc.boolean(),
    at,
  }),
  fc.record({ type: fc.constant('interventionCancelled' as const), userId: fc.constantFrom(7, 8), at }),
  fc.record({ type: fc.constant('interventionConsumed' as const), id, at }),
  fc.record({
    type: fc.constant('interventionNoticed' as const),
    id,
    status: fc.constantFrom('transferring' as const, 'active' as const, 'ended' as const, 'failed' as const),
    agentId: fc.constantFrom(1, null),
    reason: fc.constant(null),
    at,
  }),
);
/** An event, from one of two instances; or time passes, and what is due happens. */
const step = fc.record({
  instance: fc.integer({ min: 0, max: 1 }),
  event: fc.option(event, { freq: 5 }),
  ms: fc.constantFrom(500, 5_000, 61_000),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const MACHINES = { aggregate: callAggregate(), kind: callJournal() };
const NOTHING = new Proxy({}, { get: () => () => Promise.resolve(), has: () => true });

/** One instance of a server; effects do nothing, so that what follows from them is drawn like any other event. */
function instanceOn(store: MemoryActorStore): ActorHost<CallState, CallActorEvent> {
  const parts = { store, clock: systemClock, random: seededRandom(1), ids: systemIds, log: silentLog };
  return new ActorHost<CallState, CallActorEvent>(parts, { aggregate: MACHINES.aggregate, journal: MACHINES.kind, executors: NOTHING });
}

async function journalOf(steps: readonly Step[]): Promise<StoredJournal> {
  const store = new MemoryActorStore();
  // Instances then keep what they wrote, members without a value included.
  store.isWiped = true;
  const hosts = [instanceOn(store), instanceOn(store)];
  const hostOf = ({ instance }: Pick<Step, 'instance'>) => hosts[instance] ?? instanceOn(store);
  await openCall(hostOf({ instance: 0 }), META, INPUT);
  for (const [index, each] of steps.entries()) {
    if (each.event) await hostOf(each).send(ID, each.event, `step-${index}`);
    else store.now += each.ms;
    await pumpOnce({ store, clock: systemClock, log: silentLog, intervalMs: 1 }, hostOf(each));
  }
  await Promise.all(hosts.map(host => host.idle()));
  const journal = await store.readJournal(ID);
  if (journal === null) throw new Error('the call was never opened');
  return journal;
}

const LIVE: Step[] = [
  { type: 'channelAnswered', at: 2_000 } as const,
  { type: 'runtimeAccepted', runtimeId: 'runtime-1', epoch: 1 } as const,
  { type: 'channelHungUp', at: 9_000, cause: 'NORMAL_CLEARING', callStatus: 'completed', by: 'customer', answeredAt: 2_000 } as const,
].map(event => ({ instance: 0, event, ms: 500 }));

test(
  'any history of a call is walked again by its journal, to every decision and to the stored state [D14.9]',
  async () => {
    let events = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const journal = unpackJournal(packJournal(await journalOf(steps)));
        const replayed = replay(MACHINES, journal);
        expect(replayed).toMatchObject({ difference: null, otherBuilds: [] });
        events += typeof replayed === 'string' ? 0 : replayed.steps.length;
      }),
      { numRuns: RUNS },
    );
    expect(events).toBeGreaterThan(RUNS);
  },
  TIMEOUT_MS,
);

/** The report about a journal, without services. */
const reportOn = (journal: StoredJournal | null) => {
  const journals = { keep: () => Promise.resolve(), find: () => Promise.resolve(journal) };
  const parts = { journals, callStore: { readJournal: () => Promise.resolve(null) }, db: { first: () => Promise.resolve(undefined) } };
  return replayCall(parts as unknown as Parameters<typeof replayCall>[0], ID);
};

test('a journal that says otherwise than the call went differs, and the report says where', async () => {
  const journal = await journalOf(LIVE);
  expect((await reportOn(journal)).verdict).toBe('same');
  const edit = (from: string, to: string) => ({
    ...journal,
    entries: journal.entries.map(entry => ({ ...entry, body: entry.body.replaceAll(from, to) })),
  });
  const later = await reportOn(edit('"at":9000', '"at":9500'));
  expect(later).toMatchObject({ verdict: 'differs' });
  expect(later.lines.join('\n')).toContain('context.endedAt: stored 9000, replay 9500');
  const unheard = await reportOn(edit('"epoch":1', '"epoch":3'));
  expect(unheard).toMatchObject({ verdict: 'differs' });
  expect(unheard.lines.join('\n')).toMatch(/runtimeAccepted of version \d+ is decided otherwise/);
  const shortened = { ...journal, entries: journal.entries.slice(0, -1) };
  expect((await reportOn(shortened)).lines.join('\n')).toContain('the replay ends in another state');
});

test('nobody can tell without a journal, from an incomplete one, or when the machines have changed and decide otherwise', async () => {
  const journal = await journalOf(LIVE);
  expect(await reportOn(null)).toEqual({ verdict: 'cannot', lines: [`no call has the request id ${ID}`] });
  expect(await reportOn({ ...journal, missing: 3 })).toMatchObject({ verdict: 'cannot' });
  expect(await reportOn({ ...journal, entries: journal.entries.slice(1) })).toMatchObject({ verdict: 'cannot' });
  const older = (text: string) => text.replace(MACHINES.kind.build, '00000000');
  const before = { ...journal, entries: journal.entries.map(entry => ({ ...entry, body: older(entry.body) })) };
  expect(await reportOn(before)).toMatchObject({ verdict: 'same' });
  const other = await reportOn({ ...before, snapshot: before.snapshot.replace('9000', '9001') });
  expect(other).toMatchObject({ verdict: 'cannot' });
  expect(other.lines.join('\n')).toContain('the machines have changed since');
});
