import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { conferenceActorStore } from '#conferences/conference-actor-store.ts';
import type { SessionEvent } from '#conferences/conference-actor.ts';
import { conferenceRepository } from '#conferences/conference-store.ts';
import type { ConferenceSession, ConferenceStore } from '#conferences/conference.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import type { EffectContext } from '#platform/actor-host/aggregate.ts';
import { pumpOnce } from '#platform/actor-host/pumps.ts';
import { conferenceHostOver } from '#test/support/conference-host.ts';
import { type Dialling, openDialling } from '#test/support/dialling.ts';

let d: Dialling;
let store: ConferenceStore;

beforeAll(async () => {
  d = await openDialling();
  store = conferenceRepository(d.db);
});
afterAll(() => d.close());

const AT = 1_795_000_000_000;
const told = (sequence: number, at = AT, core = 'core-1') => ({ at, eventId: `${core}:${sequence}` });

async function room(): Promise<{ id: number; name: string }> {
  const name = `callout-${randomUUID()}`;
  const opened = await store.open({
    conferenceName: name,
    kind: 'transfer',
    requestId: null,
    attemptId: null,
    campaignId: null,
    customerUuid: randomUUID(),
    cellId: 'cell-1',
    preferredAgentId: null,
    onlyPreferred: false,
    groupId: null,
    interventionId: null,
    reason: '',
  });
  if (opened === 'gone') throw new Error('the customer is there');
  return { id: opened.session.id, name };
}

/** An agent has answered: the customer may be admitted. */
async function answered(id: number): Promise<void> {
  const call = await d.db.first(sql<{ id: number }>`
    insert into softphone_call (request_id, direction, status, conference_id) values (${randomUUID()}, 'conference', 'answered', ${String(id)})
    returning id`);
  await d.db.run(sql`
    insert into leg (softphone_call_id, conference_id, role, mode, leg_uuid, status)
    values (${call?.id}, ${id}, 'agent', 'transfer', ${randomUUID()}, 'joined')`);
  await d.db.run(sql`update conference_session set status = 'live' where id = ${id}`);
}

/** Another instance; what the conference asks for is not carried out. */
const host = (more: object = {}) => conferenceHostOver(actors(), { executors: { bringCustomerIn: idle, failRecording: idle, ...more } });
const actors = () => conferenceActorStore(d.db);
const idle = async () => undefined;

/** Applies the counts in order; returns the final one. */
async function counted(...counts: [size: number, count: { at: number; eventId: string | null }][]): Promise<number | undefined> {
  const { id, name } = await room();
  for (const [size, count] of counts) await store.setMemberCount(name, size, count);
  return (await store.find(id))?.memberCount;
}

test('events of one moment are ordered by their sequence [test/fixtures/esl/README.md §1a "clock"]', async () => {
  expect(await counted([2, told(11)], [1, told(10)])).toBe(2);
  expect(await counted([1, told(9)], [2, told(10)], [1, told(11)])).toBe(1);
  // Ten comes after nine, although not alphabetically.
  expect(await counted([1, told(9)], [2, told(10)])).toBe(2);
});

test('the sequence starts again when the switch restarts: then the time decides', async () => {
  expect(await counted([3, told(900)], [1, told(5, AT + 1_000, 'core-2')])).toBe(1);
  expect(await counted([1, told(5, AT + 1_000, 'core-2')], [3, told(900)])).toBe(1);
});

test('a poll corrects counts that events have missed; one older than the last event changes nothing', async () => {
  expect(await counted([2, told(10)], [1, { at: AT + 40, eventId: null }])).toBe(1);
  expect(await counted([2, told(10)], [1, { at: AT - 40, eventId: null }])).toBe(2);
  expect(await counted([2, told(10)], [1, { at: AT + 40, eventId: null }], [2, told(11)])).toBe(2);
});

test('of two concurrent admissions of a customer one applies; a failed recording has no address and fails once', async () => {
  const { id, name } = await room();
  await answered(id);
  const send = async (event: SessionEvent) =>
    (await Promise.all([host(), host()].map(instance => instance.send(String(id), event, randomUUID())))).map(({ kind }) => kind);
  expect((await send({ type: 'reviewed', at: AT, isPeriodic: false })).sort()).toEqual(['applied', 'ignored']);
  await store.setRecording(id, 'a.wav');
  expect(await store.find(id)).toMatchObject({ recordingUrl: 'a.wav', recordingFailed: false, customerState: 'inside' });
  expect((await send({ type: 'recordingLost' })).sort()).toEqual(['applied', 'ignored']);
  await store.setRecording(id, 'a.wav');
  expect(await store.findByName(name)).toMatchObject({ recordingUrl: null, recordingFailed: true });
});

test('an effect that its instance could not finish is carried out once by another; a command is applied once by all of them [A3]', async () => {
  const { id } = await room();
  await answered(id);
  const lost = host({ bringCustomerIn: () => new Promise<void>(() => undefined) });
  const reviewed = { type: 'reviewed', at: AT, isPeriodic: false } as const;
  expect((await lost.send(String(id), reviewed, 'review:1')).kind).toBe('applied');
  const done: [string, string][] = [];
  const other = host({
    bringCustomerIn: async (_: never, { effectId, state }: Context) => void done.push([effectId, state.customerState]),
  });
  expect((await other.send(String(id), reviewed, 'review:1')).kind).toBe('duplicate');

  await pumpOnce(pump(), other);
  expect(done).toEqual([]);
  await d.db.run(sql`update outbox set due_at = now() - interval '1 second' where key like ${`${id}|%`}`);
  await pumpOnce(pump(), other);
  await pumpOnce(pump(), other);
  expect(done).toEqual([['review:1#0', 'inside']]);
  expect(await d.db.rows(sql`select 1 from outbox where key like ${`${id}|%`}`)).toEqual([]);
});

test('an effect is given up after ten minutes, and a commit that only asks for effects does not change `updated_at`', async () => {
  const { id } = await room();
  const ring = { ringNextAgent: () => Promise.reject(new Error('no cache')) };
  const before = await store.find(id);
  const reviewed = { type: 'reviewed', at: (before?.createdAt ?? 0) + 1, isPeriodic: false } as const;
  const outcome = await host(ring).send(String(id), reviewed, 'review:1');
  expect(outcome).toMatchObject({ kind: 'applied', version: 2 });
  expect((await store.find(id))?.updatedAt).toBe(before?.updatedAt);
  const left = () => d.db.rows(sql<{ tries: number }>`select tries from outbox where key like ${`${id}|%`}`);
  expect(await left()).toEqual([{ tries: 0 }]);
  const age = (minutes: number) =>
    d.db.run(
      sql`update outbox set due_at = now() - interval '1 second', created_at = now() - ${minutes}::int * interval '1 minute' - interval '1 second'`,
    );
  await age(9);
  await pumpOnce(pump(), host(ring));
  expect(await left()).toEqual([{ tries: 1 }]);
  await age(10);
  await pumpOnce(pump(), host(ring));
  expect(await left()).toEqual([]);
});

const pump = () => ({ store: actors(), clock: systemClock, log: silentLog, intervalMs: 10 });
type Context = EffectContext<ConferenceSession>;
