import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { hasWork } from '#campaigns/campaign.ts';
import { admission, assessPlan } from '#dialling/decisions/assess.ts';
import type { DialStore } from '#dialling/dial-store.ts';
import { instant } from '#platform/postgres/values.ts';
import { found, given, start } from '#test/support/campaign-turns.ts';
import { addCampaign, addContacts, claimRequest, type Dialling, grants, openDialling, phoneNumbers } from '#test/support/dialling.ts';
import { addCampaign as addSimulated, addContact, dialTables } from '#test/support/stores/dial-tables.ts';
import { simulatedDialStore } from '#test/support/stores/simulated-dial-store.ts';

const HOUR_MS = 3_600_000;
const PLACE = { timeZone: 'Asia/Shanghai', region: 'CN' } as const;

/** A campaign whose only contact is on the do-not-call list for an hour. */
interface Listed {
  dials: DialStore;
  campaignId: number;
  expiresAt: number;
  /** One claim under the rules of the product; returns the number of dials. */
  claim: () => Promise<number>;
  /** Lets the hour pass. */
  passHour: () => Promise<void>;
}

let d: Dialling;
beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

async function inPostgres(): Promise<Listed> {
  const campaignId = await addCampaign(d.db);
  const [contactId] = await addContacts(d.db, campaignId, phoneNumbers(1));
  const expiresAt = Date.now() + HOUR_MS;
  await d.db.run(sql`
    insert into do_not_call (phone_number, dial_key, reason, source, expires_at)
    select phone_number, dial_key, '', 'manual', ${instant(expiresAt)} from contact where id = ${contactId}`);
  return {
    dials: d.dials,
    campaignId,
    expiresAt,
    claim: async () => claimOnce(d.dials, await claimRequest(d.db, campaignId)),
    async passHour() {
      await d.db.run(sql`update do_not_call set expires_at = now() - interval '1 second' where expires_at = ${instant(expiresAt)}`);
      await d.db.run(sql`update contact set hold_until = now() - interval '1 second' where id = ${contactId}`);
    },
  };
}

async function simulated(): Promise<Listed> {
  let now = Date.UTC(2026, 9, 1, 3);
  const tables = dialTables(() => now);
  const { id: campaignId, updatedAt } = addSimulated(tables, { status: 'running' });
  const { dialKey } = addContact(tables, { campaignId, phoneNumber: '13900000001' });
  const expiresAt = now + HOUR_MS;
  tables.doNotCall.set(dialKey, { expiresAt });
  const dials = simulatedDialStore(tables);
  const request = { ...(await claimRequest(d.db, campaignId)), campaignUpdatedAt: updatedAt, policyVersion: tables.rulesVersion };
  return {
    dials,
    campaignId,
    expiresAt,
    claim: () => claimOnce(dials, request),
    async passHour() {
      now += HOUR_MS;
    },
  };
}

async function claimOnce(dials: DialStore, request: Awaited<ReturnType<typeof claimRequest>>): Promise<number> {
  const plan = await dials.loadPlan(request.campaignId);
  if (!plan) throw new Error('no plan');
  const outcome = await dials.claim({ ...request, grants: grants(1), admit: admission(assessPlan(plan, PLACE)) });
  return outcome.kind === 'claimed' ? outcome.dials.length : 0;
}

describe.each([
  ['PostgreSQL', inPostgres],
  ['the simulation', simulated],
])('a contact whose do-not-call entry expires, in %s [D7.10, D8.7]', (_where, begin) => {
  test('waits: its campaign goes on, says for what and until when, and dials it then', async () => {
    const { dials, campaignId, expiresAt, claim, passHour } = await begin();
    expect(await claim()).toBe(0);
    const plan = await dials.loadPlan(campaignId);
    expect(plan).toMatchObject({ counts: { pending: 0, held: 1 }, nextHold: { reason: 'dnc', until: expiresAt } });
    const { at = 0, nextHold = null, counts } = plan ?? {};
    const turn = found({ at, hasWork: counts !== undefined && hasWork(counts), pendingCount: 0, nextHold });
    const { value, context } = given(start).when({ type: 'turnTaken', found: turn });
    expect(value).toEqual({ running: 'BLOCKED_BY_POLICY' });
    expect(context).toMatchObject({ cause: 'do_not_call', wakeAt: expiresAt });
    await passHour();
    await dials.endDueHolds(100);
    expect(await claim()).toBe(1);
  });
});
