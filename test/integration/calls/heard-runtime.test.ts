import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type Dialling, dialOne, openDialling } from '#test/support/dialling.ts';

const ANSWERED_AT = Date.UTC(2026, 10, 28);
let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

test('the runtime that the customer hears, and how long there has been none [D7.11]', async () => {
  const { requestId } = await dialOne(d);
  const known = async () => {
    const [attempt] = await d.dials.findAttempts([requestId]);
    return { runtime: attempt?.heardRuntime, isUnheard: attempt?.unheardMs !== null, status: attempt?.status };
  };
  expect(await known()).toEqual({ runtime: null, isUnheard: false, status: 'accepted' });
  await d.dials.recordProgress([{ requestId, answeredAt: ANSWERED_AT, heard: 'runtime-1' }]);
  expect(await known()).toEqual({ runtime: 'runtime-1', isUnheard: false, status: 'answered' });
  await d.dials.recordProgress([{ requestId, heard: false }]);
  expect(await known()).toEqual({ runtime: null, isUnheard: true, status: 'answered' });
  await d.dials.recordProgress([{ requestId, heard: '' }]);
  expect(await known()).toEqual({ runtime: '', isUnheard: false, status: 'answered' });
});

test('none has been heard since the answer, or since the last one has gone', async () => {
  const { requestId } = await dialOne(d);
  await d.dials.recordProgress([{ requestId, answeredAt: ANSWERED_AT }]);
  await d.db.run(sql`update attempt set answered_at = now() - interval '20 s' where request_id = ${requestId}::uuid`);
  const unheardMs = async () => (await d.dials.findAttempts([requestId]))[0]?.unheardMs;
  expect(await unheardMs()).toBeGreaterThanOrEqual(20_000);
  await d.dials.recordProgress([{ requestId, heard: 'runtime-1' }]);
  await d.dials.recordProgress([{ requestId, heard: false }]);
  expect(await unheardMs()).toBeLessThan(20_000);
});
