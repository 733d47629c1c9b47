import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { conferenceRepository } from '#conferences/conference-store.ts';
import type { ConferenceStore } from '#conferences/conference.ts';
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
  const admit = () =>
    store.change({ id }, session =>
      session.customerState === 'outside' ? { session: { ...session, customerState: 'inside' }, isNew: true, effects: [] } : null,
    );
  const admitted = await Promise.all([admit(), admit()]);
  expect(admitted.filter(change => change !== null)).toHaveLength(1);
  await store.setRecording(id, 'a.wav');
  expect(await store.find(id)).toMatchObject({ recordingUrl: 'a.wav', recordingFailed: false, customerState: 'inside' });
  expect(await Promise.all([store.failRecording(name), store.failRecording(name)])).toEqual(expect.arrayContaining([id, null]));
  await store.setRecording(id, 'a.wav');
  expect(await store.find(id)).toMatchObject({ recordingUrl: null, recordingFailed: true });
});
