import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type NewRuntimeEvent, runtimeEventRepository, type RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import { type EventReader, readEvents } from '#test/support/read-events.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { natsRuntimeEventSignals } from '#runtime-events/runtime-event-signals.ts';

let server: TestServer;
let token: string;
let store: RuntimeEventStore;
const readers: EventReader[] = [];
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
  const { database, bus } = server.running.context;
  store = runtimeEventRepository(database, natsRuntimeEventSignals(bus));
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(() => server.close());

const record = (fields: Partial<NewRuntimeEvent> = {}) =>
  store.record({ level: 'info', type: 'campaign.started', title: '活动已启动', ...fields });
const open = async (lastEventId?: string) => {
  const reader = await readEvents(`${server.url}/api/runtime/events`, { token, ...(lastEventId === undefined ? {} : { lastEventId }) });
  readers.push(reader);
  return reader;
};
/** A reader that has its snapshot, so that everything after it is live. */
const openLive = async () => {
  const reader = await open();
  await reader.next('snapshot');
  return reader;
};
const acknowledge = (id: number) => server.api('PATCH', `/api/runtime/events/${id}/acknowledge`, undefined, token);

describe('GET /api/runtime/events', () => {
  test('is an event stream with the headers of D10', async () => {
    const { headers } = await open();
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('x-accel-buffering')).toBe('no');
  });

  test('sends events by level, each with its row and an id [D10]', async () => {
    const reader = await openLive();
    const info = await record({ campaignId: 7, detail: { by: 'test' } });
    const warning = await record({ level: 'warning', type: 'call.stuck', title: '通话卡住' });
    const error = await record({ level: 'error', type: 'cell.down', title: '节点断开', cellId: 'c1' });
    const told = [await reader.next('runtime-event'), await reader.next('alert'), await reader.next('alert')];
    expect(told.map(({ id }) => Number(id))).toEqual([info.id, warning.id, error.id]);
    expect(told[0]?.data).toEqual({
      id: info.id,
      level: 'info',
      type: 'campaign.started',
      title: '活动已启动',
      message: '',
      campaignId: 7,
      attemptId: null,
      cellId: null,
      detail: { by: 'test' },
      acknowledgedAt: null,
      acknowledgedBy: null,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.any(String),
    });
    expect(told[2]?.data).toMatchObject({ level: 'error', cellId: 'c1' });
  });

  test('sends a burst in order; each caller gets the row of its own event, a repetition the first one', async () => {
    const reader = await openLive();
    const key = (n: number) => (n % 3 === 0 ? `burst-${n % 9}` : null);
    const rows = await Promise.all(Array.from({ length: 30 }, (_, n) => record({ title: `活动 ${n}`, detail: { n }, dedupeKey: key(n) })));
    const first = (n: number) => (key(n) === null ? n : n % 9);
    expect(rows.map(({ title, detail }) => ({ title, detail }))).toEqual(
      Array.from({ length: 30 }, (_, n) => ({ title: `活动 ${first(n)}`, detail: { n: first(n) } })),
    );
    const ids = [...new Set(rows.map(({ id }) => id))];
    expect(ids).toHaveLength(23);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const told: number[] = [];
    while (told.length < ids.length) told.push(Number((await reader.next('runtime-event')).id));
    expect(told).toEqual(ids);
  });

  test('replays what a client missed, acknowledgements too, each once [D10]', async () => {
    const reader = await openLive();
    const first = await record();
    await reader.next('runtime-event');
    reader.close();
    const missed = await record({ level: 'warning', type: 'call.stuck', title: '通话卡住' });
    await acknowledge(missed.id);
    const again = await open(String(first.id));
    const acknowledged = await again.next('acknowledged');
    expect(again.events.map(({ event, data }) => [event, data.id])).toEqual([
      ['alert', missed.id],
      ['acknowledged', missed.id],
    ]);
    expect(acknowledged.data.acknowledgedAt).toMatch(/Z$/);
    await record();
    const last = await again.next('runtime-event');
    const third = await open(last.id);
    const live = await record();
    expect((await third.next('runtime-event')).data.id).toBe(live.id);
    expect(third.events).toHaveLength(1);
  });

  test.each(['99999999', 'nonsense'])('answers the unknown position %s with resync and a snapshot [D10]', async position => {
    const earlier = await openLive();
    const event = await record();
    await earlier.next('runtime-event');
    const reader = await open(position);
    const [resync, snapshot] = [await reader.next('resync'), await reader.next('snapshot')];
    expect(reader.events.map(entry => entry.event)).toEqual(['resync', 'snapshot']);
    expect(snapshot.id).toBe(resync.id);
    expect(snapshot.data.events.map(({ id }: { id: number }) => id)).toContain(event.id);
  });

  test('reaches the clients of every instance [A4]', async () => {
    const second = await startTestServer({ beside: server });
    const reader = await readEvents(`${second.url}/api/runtime/events`, { token });
    await reader.next('snapshot');
    const event = await record();
    expect((await reader.next('runtime-event')).data.id).toBe(event.id);
    reader.close();
    await second.close();
  });

  test('accepts access_token in the query; without a session it is 401 [D3.5]', async () => {
    const reader = await readEvents(`${server.url}/api/runtime/events?access_token=${token}`);
    readers.push(reader);
    await reader.next('snapshot');
    expect((await server.api('GET', '/api/runtime/events')).status).toBe(401);
  });
});

describe('PATCH /api/runtime/events/:id/acknowledge', () => {
  test('acknowledges the event for all users; the first acknowledgement stays [OCS 4.1, D10]', async () => {
    const reader = await openLive();
    const { id } = await record({ level: 'error', type: 'cell.down', title: '节点断开' });
    const first = await acknowledge(id);
    expect(first.data.event).toMatchObject({ id, acknowledgedAt: expect.stringMatching(/Z$/), acknowledgedBy: expect.any(Number) });
    expect((await reader.next('acknowledged')).data).toEqual(first.data.event);
    const second = await server.api('PATCH', `/api/runtime/events/${id}/acknowledge`, undefined, await server.loginAs('admin'));
    expect(second.data).toEqual(first.data);
  });

  test('an unknown event gives 404', async () => {
    expect((await acknowledge(999_999)).status).toBe(404);
  });
});

describe('recording', () => {
  test('writes an event with the same key once [D14.3]', async () => {
    const reader = await openLive();
    const first = await record({ dedupeKey: 'call.stuck:1' });
    const again = await record({ dedupeKey: 'call.stuck:1', title: '再次' });
    const after = await record();
    expect(again).toEqual(first);
    await reader.next('runtime-event');
    expect((await reader.next('runtime-event')).data.id).toBe(after.id);
  });

  test('an event delayed in the database is sent in its place, whatever is written meanwhile [D10, I8]', async () => {
    const reader = await openLive();
    const { database, bus } = server.running.context;
    const other = runtimeEventRepository(database, natsRuntimeEventSignals(bus));
    const [isTaken, isDecided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Another transaction is about to write the event of this key, and finally rolls back: until then the first one can only wait.
    const undecided = database.transaction(async tx => {
      await tx.run(sql`insert into runtime_event (level, type, title, dedupe_key) values ('info', 'campaign.started', '未定', 'held-up')`);
      isTaken.resolve();
      await isDecided.promise;
      throw new Error('taken back');
    });
    await isTaken.promise;
    const heldUp = record({ title: '被挡住', dedupeKey: 'held-up' });
    await waitUntil('it to be held up', async () => (await waiting()) === 1);
    let isWritten = false;
    const others = Promise.all(
      Array.from({ length: 100 }, (_, n) => other.record({ level: 'info', type: 'campaign.started', title: `其他 ${n}` })),
    ).finally(() => (isWritten = true));
    await waitUntil('the others to be told, or to wait', async () => (isWritten ? reader.events.length > 100 : (await waiting()) > 1));
    isDecided.resolve();
    await expect(undecided).rejects.toThrow('taken back');
    const ids = [await heldUp, ...(await others)].map(({ id }) => id);
    await waitUntil('all to be told', () => reader.events.filter(({ event }) => event === 'runtime-event').length >= ids.length);
    expect(reader.events.slice(1).map(({ data }) => data.id)).toEqual(ids.toSorted((a, b) => a - b));
  });
});

/** Statements of this database that wait for a lock. */
async function waiting(): Promise<number> {
  const row = await server.running.context.database.first(sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return row?.count ?? 0;
}
