import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { tallySum, WAITING } from '#campaigns/campaign-store.ts';
import { releaseHolds } from '#policies/holds.ts';
import {
  addCampaign,
  addContacts,
  claimRequest,
  type Dialling,
  grants,
  openDialling,
  phoneNumbers,
  report,
  settled,
} from '#test/support/dialling.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});

afterAll(() => d.close());

interface Turn {
  campaign: number;
  /** Varies which rows and how. */
  n: number;
  /** A few of the campaign's open attempts. */
  some: string[];
}

const edit = (change: RawBuilder<unknown>) => (turn: Turn) =>
  d.db.run(sql`update contact set ${change} where campaign_id = ${turn.campaign} and id % 5 = ${turn.n % 5}`);

/** Every statement that changes contacts. */
const STEPS: Record<string, (turn: Turn) => Promise<unknown>> = {
  add: ({ campaign, n }) => addContacts(d.db, campaign, phoneNumbers(3, 13_000_000_000 + n * 2)),
  claim: async ({ campaign, n }) => d.dials.claim(await claimRequest(d.db, campaign, { grants: grants(1 + (n % 4)) })),
  hold: async ({ campaign, n }) =>
    d.dials.claim(
      await claimRequest(d.db, campaign, {
        grants: grants(3),
        admit: ({ contactId }) =>
          contactId % 2 === 0
            ? { kind: 'hold', reason: 'dnc', until: n % 2 === 0 ? null : Date.UTC(2040, 0, 1) }
            : { kind: 'fail', callStatus: 'invalid_number' },
      }),
    ),
  release: ({ campaign }) => releaseHolds(d.db, { campaignId: campaign }),
  mark: ({ some }) => d.dials.markDialing(some),
  settle: ({ some }) => d.dials.settle(some.map(requestId => settled(requestId))),
  result: ({ some, n }) =>
    Promise.all(some.map(requestId => d.dials.applyResult(report({ requestId, callStatus: n % 2 === 0 ? 'completed' : 'busy' })))),
  revert: ({ some }) => d.dials.revert(some, { alsoDialing: true, reason: '' }),
  pause: edit(sql`status = 'paused'`),
  remove: edit(sql`deleted_at = coalesce(deleted_at, now())`),
  retry: edit(sql`status = 'pending', retry_at = null, hold_reason = null, hold_until = null`),
  move: edit(sql`retry_at = case when retry_at is null then now() end`),
  fold: () => d.dials.foldTallies(),
  purge: ({ campaign, n }) =>
    d.db.run(sql`
      delete from contact where campaign_id = ${campaign} and id % 7 = ${n % 7} and not exists (select 1 from attempt where contact_id = contact.id)`),
};

async function run(step: string, campaign: number, n: number): Promise<void> {
  const open = await d.dials.openAttempts(0, 1_000);
  const requestIds = open.filter(attempt => attempt.campaignId === campaign).map(attempt => attempt.requestId);
  await STEPS[step]?.({ campaign, n, some: requestIds.slice(0, 1 + (n % 3)) });
}

const tally = (campaign: number) =>
  d.db.rows(sql`
    select status, held, hold_ends as ends, retryable, sum(delta) as count from contact_tally where campaign_id = ${campaign}
    group by 1, 2, 3, 4 having sum(delta) <> 0 order by 1, 2, 3, 4`);

const counted = (campaign: number) =>
  d.db.rows(sql`
    select status, hold_reason is not null as held, hold_until is not null as ends, retry_at is not null as retryable, count(*) as count
    from contact where campaign_id = ${campaign} and deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4`);

test('the tally equals count(*) after any operations, folded or not', async () => {
  const script = fc.array(fc.record({ step: fc.constantFrom(...Object.keys(STEPS)), n: fc.nat(40) }), { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(script, async steps => {
      const campaign = await addCampaign(d.db, { maxRetries: 3, retryIntervalSeconds: 0 });
      await addContacts(d.db, campaign, phoneNumbers(10));
      for (const { step, n } of steps) await run(step, campaign, n);
      expect(await tally(campaign)).toEqual(await counted(campaign));
      const pending = await d.db.first(sql`
        select count(*) as pending from contact where campaign_id = ${campaign} and status = 'pending' and hold_reason is null and deleted_at is null`);
      expect(await d.db.first(sql`select ${tallySum(sql`${campaign}::int`, WAITING.pending)} as pending`)).toEqual(pending);
      await d.dials.foldTallies();
      expect(await tally(campaign)).toEqual(await counted(campaign));
    }),
    { numRuns: 25 },
  );
}, 120_000);

test('folding during changes of contacts loses nothing and leaves one row per group', async () => {
  const campaign = await addCampaign(d.db);
  await addContacts(d.db, campaign, phoneNumbers(200));
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await d.dials.claim(await claimRequest(d.db, campaign, { grants: grants(5) }));
      await d.dials.foldTallies();
    }),
  );
  expect(await tally(campaign)).toEqual(await counted(campaign));
  await d.dials.foldTallies();
  const rows = await d.db.first(sql`select count(*) as rows from contact_tally where campaign_id = ${campaign}`);
  expect(rows).toEqual({ rows: (await counted(campaign)).length });
});
