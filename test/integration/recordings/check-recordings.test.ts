import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import type { NewRuntimeEvent } from '#runtime-events/runtime-event-store.ts';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { recordingChecker, runRecordingChecks } from '#recordings/check-recordings.ts';
import { takeDueChecks } from '#recordings/check-store.ts';
import { recordingStore } from '#recordings/recording-store.ts';
import { readRecordingHealth } from '#recordings/recording-health.ts';
import { type Dialling, dialOne, openDialling, report } from '#test/support/dialling.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { wavOf } from '#tools/sound/wav.ts';

const RATE = 8_000;
const tone = (seconds: number) => wavOf(Int16Array.from({ length: seconds * RATE }, (_, at) => Math.round(8_000 * Math.sin(at / 3))));
const silence = (seconds: number) => wavOf(new Int16Array(seconds * RATE));
/** Speech in the middle alone: whoever hears only the begin takes it for silent. */
const late = (seconds: number) =>
  Buffer.concat([silence(seconds).subarray(0, 44 + seconds * RATE), tone(seconds).subarray(44 + seconds * RATE)]);

const FILES: Readonly<Record<string, Buffer>> = {
  'whole.wav': tone(20),
  'half.wav': tone(10),
  'silent.wav': silence(20),
  'late.wav': late(20),
  'long.wav': tone(120),
  'empty.wav': Buffer.alloc(0),
  'song.mp3': Buffer.from('ID3'.padEnd(5_000, 'x')),
};

let d: Dialling;
let folder: string;
let web: Server;
/** Bytes that the web server has sent, and its requests. */
let sent = { bytes: 0, requests: 0 };
/** How the web server answers. */
let mood: 'well' | 'without ranges' | 'never' = 'well';

beforeAll(async () => {
  d = await openDialling();
  folder = await mkdtemp(join(tmpdir(), 'checked-'));
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder, name), content);
  web = createServer(serve);
  await new Promise<void>(resolve => void web.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  web.closeAllConnections();
  await new Promise(resolve => void web.close(resolve));
  await rm(folder, { recursive: true });
  await d.close();
});
beforeEach(async () => {
  sent = { bytes: 0, requests: 0 };
  mood = 'well';
  await d.db.run(sql`truncate recording_check, runtime_event`);
});

function serve({ url, headers: { range } }: IncomingMessage, response: ServerResponse): void {
  sent.requests += 1;
  if (mood === 'never') return;
  const content = FILES[decodeURIComponent(url?.split('/').at(-1) ?? '')];
  if (content === undefined || content.length === 0) return void response.writeHead(404).end();
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const isPart = range !== undefined && mood !== 'without ranges';
  const end = Math.min(content.length - 1, last === '' ? content.length : Number(last));
  const part = isPart ? content.subarray(Number(first), end + 1) : content;
  sent.bytes += part.length;
  const headers = { 'Content-Length': part.length, ...(isPart ? { 'Content-Range': `bytes ${first}-${end}/${content.length}` } : {}) };
  response.writeHead(isPart ? 206 : 200, headers).end(part);
}

function addressOf(): string {
  const address = web.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/rec` : '';
}

const app = (events?: NewRuntimeEvent[]) => {
  const stored = runtimeEventRepository(d.db, { publish: () => undefined });
  return {
    db: d.db,
    clock: systemClock,
    log: silentLog,
    jobs: { isDialingBehind: () => false },
    recordings: recordingStore({
      cells: new Map([
        ['here', { folder }],
        ['away', { baseUrl: addressOf() }],
        ['elsewhere', { folder: join(folder, 'on another machine') }],
      ]),
      withoutCell: null,
      log: silentLog,
    }),
    events: {
      ...stored,
      record(event: NewRuntimeEvent) {
        events?.push(event);
        return stored.record(event);
      },
    },
  };
};

/** An ended call of 20 s whose recording is due, with a check of this age. */
async function ended(name: string, cellId: string, { ageMs = 40_000, talkSeconds = 20 } = {}): Promise<number> {
  const { attemptId, requestId } = await dialOne(d);
  await d.db.run(sql`update attempt set cell_id = ${cellId} where id = ${attemptId}`);
  const endedAt = Date.now();
  await d.dials.applyResult(
    report({ requestId, callStatus: 'completed', answeredAt: endedAt - talkSeconds * 1_000, endedAt, recordingUrl: `/var/rec/${name}` }),
  );
  await d.db.run(sql`
    update recording_check set due_at = now() - interval '1 second', created_at = now() - ${ageMs}::float8 * interval '1 millisecond' where attempt_id = ${attemptId}`);
  return attemptId;
}

async function lookAtAll(events?: NewRuntimeEvent[]): Promise<void> {
  const check = recordingChecker(app(events));
  for (const due of await takeDueChecks(d.db, 100)) await check(due, new AbortController().signal);
}

interface Mark {
  state: string;
  isDue: boolean;
  recordedSeconds: number | null;
}

async function markOf(attemptId: number): Promise<Mark | undefined> {
  return d.db.first(sql<Mark>`
    select state, due_at is not null as is_due, recorded_seconds from recording_check where attempt_id = ${attemptId}`);
}

describe('a result puts its recording in line [D7.20]', () => {
  test('ten seconds later, once, and only with a recording and talk time', async () => {
    const spoken = await dialOne(d);
    const endedAt = Date.now();
    const result = report({
      requestId: spoken.requestId,
      callStatus: 'completed',
      answeredAt: endedAt - 9_000,
      endedAt,
      recordingUrl: 'a.wav',
    });
    await d.dials.applyResult(result);
    await d.dials.applyResult(result);
    const unheard = await dialOne(d);
    await d.dials.applyResult(report({ requestId: unheard.requestId, callStatus: 'no_answer', recordingUrl: 'b.wav' }));
    const unrecorded = await dialOne(d);
    await d.dials.applyResult(report({ requestId: unrecorded.requestId, callStatus: 'completed', answeredAt: endedAt - 9_000, endedAt }));
    const rows = await d.db.rows(sql`
      select attempt_id, state, extract(epoch from due_at - created_at)::int as wait from recording_check order by attempt_id`);
    expect(rows).toEqual([{ attemptId: spoken.attemptId, state: 'pending', wait: 10 }]);
    expect(await takeDueChecks(d.db, 10)).toEqual([]);
  });
});

describe.each(['here', 'away'])('recordings of the cell %s [D7.20]', cellId => {
  test.each([
    ['whole.wav', 'complete', 20],
    ['late.wav', 'complete', 20],
    ['half.wav', 'short', 10],
    ['silent.wav', 'silent', 20],
    ['gone.wav', 'missing', null],
    ['empty.wav', 'missing', null],
    ['song.mp3', 'unknown', null],
  ])('%s is %s', async (name, state, recordedSeconds) => {
    const attemptId = await ended(name, cellId);
    await lookAtAll();
    expect(await markOf(attemptId)).toMatchObject({ state, recordedSeconds });
  });

  test('a long one costs no more than a short one: its head and eight pieces', async () => {
    const attemptId = await ended('long.wav', cellId, { talkSeconds: 120 });
    await lookAtAll();
    expect(await markOf(attemptId)).toEqual({ state: 'complete', isDue: false, recordedSeconds: 120 });
    expect(sent.bytes).toBeLessThanOrEqual(9 * 32_768);
    expect(sent.requests).toBeLessThanOrEqual(9);
  });
});

describe('what cannot be looked at is unknown [D7.20]', () => {
  test('a server that sends whole files is read no further than the first piece, and its length still counts', async () => {
    mood = 'without ranges';
    const attemptId = await ended('half.wav', 'away');
    await lookAtAll();
    expect(await markOf(attemptId)).toMatchObject({ state: 'short', recordedSeconds: 10 });
  });

  test('a folder of another machine, and a cell that is no longer declared, say nothing about their files', async () => {
    const [elsewhere, undeclared] = [await ended('whole.wav', 'elsewhere'), await ended('whole.wav', 'closed')];
    await lookAtAll();
    expect([(await markOf(elsewhere))?.state, (await markOf(undeclared))?.state]).toEqual(['unknown', 'unknown']);
  });

  test('a server that gives no answer is asked once, not for each of its recordings, and is told once', async () => {
    mood = 'never';
    const calls = [await ended('whole.wav', 'away'), await ended('whole.wav', 'away'), await ended('whole.wav', 'away')];
    await lookAtAll();
    expect(await Promise.all(calls.map(async id => (await markOf(id))?.state))).toEqual(['unknown', 'unknown', 'unknown']);
    expect(sent.requests).toBe(1);
    const events = await d.db.rows(sql`select type, cell_id, detail from runtime_event`);
    expect(events).toEqual([{ type: 'call.recording_incomplete', cellId: 'away', detail: { kind: 'unknown' } }]);
  }, 20_000);
});

describe('a mark follows the file [D7.20]', () => {
  test('what is not there at first is looked at again before anybody is told', async () => {
    const events: NewRuntimeEvent[] = [];
    const attemptId = await ended('coming.wav', 'here', { ageMs: 10_000 });
    await lookAtAll(events);
    expect(await markOf(attemptId)).toMatchObject({ state: 'pending', isDue: true });
    await writeFile(join(folder, 'coming.wav'), tone(20));
    await d.db.run(sql`update recording_check set due_at = now()`);
    await lookAtAll(events);
    expect(await markOf(attemptId)).toMatchObject({ state: 'complete', isDue: false });
    expect(events).toEqual([]);
  });

  test('a missing one that comes later is complete then; the event was told once', async () => {
    const events: NewRuntimeEvent[] = [];
    const attemptId = await ended('late-upload.wav', 'here');
    await lookAtAll(events);
    expect(await markOf(attemptId)).toMatchObject({ state: 'missing', isDue: true });
    await d.db.run(sql`update recording_check set due_at = now()`);
    await lookAtAll(events);
    await writeFile(join(folder, 'late-upload.wav'), tone(20));
    await d.db.run(sql`update recording_check set due_at = now()`);
    await lookAtAll(events);
    expect(await markOf(attemptId)).toMatchObject({ state: 'complete', isDue: false });
    expect(events.map(({ attemptId: id, detail }) => ({ id, detail }))).toEqual([
      { id: attemptId, detail: { kind: 'missing', talkSeconds: 20, recordedSeconds: null } },
    ]);
  });

  test('a recording that retention has removed meanwhile stays removed', async () => {
    const attemptId = await ended('whole.wav', 'here');
    const [due] = await takeDueChecks(d.db, 1);
    await d.db.run(sql`update recording_check set state = 'removed', due_at = null`);
    if (due) await recordingChecker(app())(due, new AbortController().signal);
    expect(await markOf(attemptId)).toMatchObject({ state: 'removed', isDue: false });
  });

  test('up to the first agent who speaks, because the conference has the rest', async () => {
    const attemptId = await ended('half.wav', 'here');
    const session = await d.db.first(sql<{ id: number }>`
      insert into conference_session (conference_name, kind, status, customer_state, attempt_id) values ('c', 'transfer', 'ended', 'gone', ${attemptId}) returning id`);
    const own = await d.db.first(sql<{ id: number }>`
      insert into softphone_call (request_id, direction, status) values (gen_random_uuid(), 'conference', 'completed') returning id`);
    await d.db.run(sql`
      insert into leg (softphone_call_id, conference_id, role, mode, leg_uuid, status, joined_at)
      select ${own?.id}, ${session?.id}, 'agent', 'transfer', gen_random_uuid(), 'ended', a.answered_at + interval '10 seconds'
      from attempt a where a.id = ${attemptId}`);
    await lookAtAll();
    expect(await markOf(attemptId)).toMatchObject({ state: 'complete' });
  });
});

describe('servers share the work [D7.20]', () => {
  test('two never have the same check, and one that died leaves its own after 20 s', async () => {
    const calls = [await ended('whole.wav', 'here'), await ended('whole.wav', 'here')];
    const [one, other] = await Promise.all([takeDueChecks(d.db, 1), takeDueChecks(d.db, 1)]);
    expect([...(one ?? []), ...(other ?? [])].map(({ attemptId }) => attemptId).sort((a, b) => a - b)).toEqual(
      calls.toSorted((a, b) => a - b),
    );
    expect(await takeDueChecks(d.db, 10)).toEqual([]);
    await d.db.run(sql`update recording_check set due_at = due_at - interval '20 seconds'`);
    expect(await takeDueChecks(d.db, 10)).toHaveLength(2);
  });

  test('a running server looks by itself, and counts what it found', async () => {
    const whole = await ended('whole.wav', 'here');
    const gone = await ended('gone.wav', 'away');
    const stop = new AbortController();
    const running = runRecordingChecks(app(), stop.signal);
    await waitUntil('both are judged', async () =>
      [(await markOf(whole))?.state, (await markOf(gone))?.state].every(state => state !== 'pending'),
    );
    stop.abort();
    await running;
    expect((await readRecordingHealth({ db: d.db, clock: systemClock })).cells).toEqual([
      { cellId: 'away', pending: 0, complete: 0, short: 0, silent: 0, missing: 1, unknown: 0 },
      { cellId: 'here', pending: 0, complete: 1, short: 0, silent: 0, missing: 0, unknown: 0 },
    ]);
  });
});
