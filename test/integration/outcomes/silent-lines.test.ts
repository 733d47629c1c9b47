import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { addCampaign, addContacts, dial, type Dialling, DUE, openDialling, phoneNumbers, settled } from '#test/support/dialling.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

test('a line without any response costs the contact an attempt from the sixth time in a row, and never while the breaker is not closed [D7.1]', async () => {
  const campaign = await addCampaign(d.db, { maxRetries: 0, retryIntervalSeconds: 600 });
  const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1, 13_977_000_000));
  const silently = async () => {
    await d.db.run(sql`update contact set retry_at = ${DUE} where id = ${contact} and status = 'failed'`);
    const [dialled] = (await dial(d, campaign)).dials;
    await d.dials.settle([settled(dialled?.requestId ?? '', { callStatus: 'no_answer', isSilent: true })]);
    return d.db.first(sql<{ count: number; waits: boolean }>`
      select attempt_count as count, retry_at > now() + interval '590 seconds' as waits from contact where id = ${contact}`);
  };
  const free = { count: 0, waits: true };
  for (let repeat = 0; repeat < 3; repeat += 1) expect(await silently()).toEqual(free);
  await d.db.run(sql`update campaign set breaker = '{"kind":"open"}' where id = ${campaign}`);
  for (let repeat = 0; repeat < 4; repeat += 1) expect(await silently()).toEqual(free);
  await d.db.run(sql`update campaign set breaker = null where id = ${campaign}`);
  for (let repeat = 0; repeat < 2; repeat += 1) expect(await silently()).toEqual(free);
  expect(await silently()).toEqual({ count: 1, waits: null });
});
