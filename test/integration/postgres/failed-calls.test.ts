import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { readCounts } from '#overview/counts.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { migrationRig } from './migration-rig.ts';

const { db, migrate } = migrationRig('20261128162000-failed-calls');

test('an upgrade counts earlier calls that were answered as no longer failed [D14.2]', async () => {
  const campaignId = await insertCampaign(db(), { status: 'running' });
  for (const isAnswered of [true, true, false]) {
    const contactId = await insertContact(db(), { campaignId, status: 'failed' });
    const id = await insertAttempt(db(), { campaignId, contactId, status: 'failed' });
    if (isAnswered) await db().run(sql`update attempt set answered_at = now() where id = ${id}`);
  }
  // The functions of the earlier version counted them like this.
  await db().run(
    sql`update attempt_day_tally set failed = failed + 2 where ctid = (select ctid from attempt_day_tally order by failed desc limit 1)`,
  );
  await migrate();
  expect((await readCounts({ db: db() })).today).toEqual({ attempts: 3, answered: 2, completed: 0, failed: 1 });
});
