import { beforeEach, describe, expect, test } from '@jest/globals';
import { rejectedReport } from '#protocol/pool.ts';
import { captionSubject, runtimeSubject } from '#protocol/subjects.ts';
import { CalloutError, invalidArgument, notFound, staleEpoch } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import { type Rejection, type Rejections, publishRejections } from '#runtime-events/rejections.ts';
import type { NewRuntimeEvent } from '#runtime-events/runtime-event-store.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';

const CALL = '7d0f6c2e-3d63-4a8e-9a51-0c6a8f0f3b11';
const HOUR_MS = 3_600_000;

let told: { subject: string; payload: unknown }[];
let recorded: NewRuntimeEvent[];
let isStoreAway: boolean;
let clock: ManualClock;
let rejections: Rejections;
let owners: Map<string, string>;
beforeEach(() => {
  [told, recorded, isStoreAway] = [[], [], false];
  clock = manualClock();
  owners = new Map();
  const bus = { publish: (subject: string, payload: unknown) => void told.push({ subject, payload }) };
  const record = (event: NewRuntimeEvent) => {
    if (isStoreAway) return Promise.reject(new CalloutError('DATABASE_UNAVAILABLE', '数据库不可用'));
    recorded.push(event);
    return Promise.resolve({} as never);
  };
  const ownerOf = async (requestId: string) => owners.get(requestId) ?? null;
  rejections = publishRejections({ bus, events: { record }, clock, log: silentLog, ownerOf });
});

const result = (changes: Partial<Rejection> = {}): Rejection => ({
  inbound: 'result',
  subject: runtimeSubject('result', CALL),
  body: { runtimeId: 'runtime-1' },
  requestId: CALL,
  error: invalidArgument('callStatus', 'empty'),
  ...changes,
});
const caption = (changes: Partial<Rejection> = {}): Rejection => result({ inbound: 'captions', subject: captionSubject(CALL), ...changes });

describe('a rejected message that does not name its runtime [A4]', () => {
  const settled = () => new Promise(resolve => setImmediate(resolve));

  test.each([undefined, null, {}, { callStatus: 'busy' }])('is reported to the runtime that owns the call: %j', async body => {
    owners.set(CALL, 'runtime-7');
    rejections.publish(result({ body }));
    rejections.publish(caption({ body }));
    await settled();
    expect(told.map(({ subject }) => subject)).toEqual(Array(2).fill('callout.v1.runtime-pool.runtime-7.rejected'));
  });

  test('is not reported without an owner, nor to the owner when another runtime sent it', async () => {
    rejections.publish(result({ body: undefined }));
    owners.set(CALL, 'runtime-7');
    rejections.publish(result({ body: {}, error: staleEpoch() }));
    rejections.publish(result({ body: {}, requestId: 'no-uuid' }));
    await settled();
    expect(told).toEqual([]);
  });
});

describe('a rejected message is reported to its sender', () => {
  test('with subject, code, field and reason, as the contract says', () => {
    rejections.publish(result());
    expect(told).toEqual([
      {
        subject: 'callout.v1.runtime-pool.runtime-1.rejected',
        payload: {
          subject: runtimeSubject('result', CALL),
          code: 'INVALID_ARGUMENT',
          field: 'callStatus',
          reason: '参数错误：callStatus 不能为空',
          requestId: CALL,
        },
      },
    ]);
    expect(rejectedReport.parse(told[0]?.payload)).toEqual(told[0]?.payload);
  });

  test('a list counts as sent by the runtime of its first event', () => {
    rejections.publish(caption({ body: { events: [{ runtimeId: 'runtime-2' }] } }));
    expect(told.map(({ subject }) => subject)).toEqual(['callout.v1.runtime-pool.runtime-2.rejected']);
  });

  test.each([undefined, null, [], 'x', {}, { runtimeId: 5 }, { runtimeId: 'a.b' }, { runtimeId: '>' }, { runtimeId: 'x'.repeat(65) }])(
    'no runtime is notified of %j',
    body => {
      rejections.publish(result({ body }));
      expect(told).toEqual([]);
      expect(recorded).toHaveLength(1);
    },
  );

  test('internal errors are not disclosed, and quotes from the message are truncated', () => {
    rejections.publish(result({ error: new Error('select * from secrets') }));
    rejections.publish(result({ error: invalidArgument('x'.repeat(9_000), 'invalid') }));
    expect(told[0]?.payload).toMatchObject({ code: 'INTERNAL', field: null, reason: '服务器内部错误' });
    expect(JSON.stringify(told[1]).length).toBeLessThan(2_000);
  });

  test('reports of expendable messages are limited to 20 a second, which never suppresses that of a lost result', async () => {
    for (let count = 0; count < 30; count++) rejections.publish(count % 2 === 0 ? caption() : caption({ inbound: 'softphone' }));
    expect(told).toHaveLength(20);
    rejections.publish(result());
    expect(told).toHaveLength(21);
    await clock.pass(1_000);
    rejections.publish(caption());
    expect(told).toHaveLength(22);
  });
});

describe('the operator is notified of a rejection', () => {
  test('once an hour for each kind and code, with the facts a developer needs', async () => {
    for (const each of [result(), result(), caption(), result({ error: notFound('通话') })]) rejections.publish(each);
    expect(recorded.map(({ level, type }) => `${level} ${type}`)).toEqual(Array(3).fill('warning runtime.report_rejected'));
    expect(new Set(recorded.map(({ dedupeKey }) => dedupeKey)).size).toBe(3);
    expect(recorded[0]).toMatchObject({
      message: expect.stringContaining('通话结果：参数错误：callStatus 不能为空'),
      detail: { code: 'INVALID_ARGUMENT', field: 'callStatus', runtimeId: 'runtime-1' },
    });
    rejections.publish(result({ error: staleEpoch() }));
    expect(recorded.at(-1)).toMatchObject({ level: 'info', detail: { code: 'STALE_EPOCH' } });
    await clock.pass(HOUR_MS);
    rejections.publish(result());
    expect(recorded).toHaveLength(5);
    expect(recorded[4]?.dedupeKey).not.toBe(recorded[0]?.dedupeKey);
  });

  test('again after the event store was unavailable, which itself is no rejection', async () => {
    isStoreAway = true;
    rejections.publish(result());
    await clock.pass(0);
    isStoreAway = false;
    rejections.publish(caption({ error: new CalloutError('CACHE_UNAVAILABLE', '缓存不可用') }));
    expect(recorded).toEqual([]);
    rejections.publish(result());
    expect(recorded).toHaveLength(1);
  });
});
