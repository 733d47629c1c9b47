import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { contactRepository, insertContacts } from '#contacts/contact-store.ts';
import { eachText, parseContact } from '#contacts/contact.ts';
import { admission, assessPlan } from '#dialling/decisions/assess.ts';
import type { DialPlan } from '#dialling/dial-store.ts';
import { addCampaign, claimRequest, contactRow, type Dialling, openDialling, phoneNumbers } from '#test/support/dialling.ts';

const HOUR = 3_600_000;
const PLACE = { timeZone: 'Asia/Shanghai', region: 'CN' } as const;
/** Zones on opposite sides of the earth, without clock changes. */
const [HERE, THERE] = ['Etc/GMT-6', 'Etc/GMT+6'];

let d: Dialling;
beforeAll(async () => {
  d = await openDialling(25);
});
afterAll(() => d.close());

/** A campaign that is open for two hours around now in HERE, and for two hours in THERE half a day later. */
async function campaignOpenHere(): Promise<number> {
  const campaign = await addCampaign(d.db);
  const hour = (shift: number) =>
    Temporal.Now.instant().add({ hours: shift }).toZonedDateTimeISO(HERE).toPlainTime().toString().slice(0, 5);
  await d.db.run(sql`update campaign set workday_start = ${hour(-1)}, workday_end = ${hour(1)} where id = ${campaign}`);
  return campaign;
}

async function add(campaign: number, zones: readonly string[]): Promise<number[]> {
  const numbers = phoneNumbers(zones.length);
  const contacts = numbers.map((phoneNumber, index) =>
    parseContact({ ...eachText(() => ''), phoneNumber, timeZone: zones[index] ?? '', metadata: {}, numbers: [] }, 'CN'),
  );
  await d.db.transaction(tx => insertContacts(tx, campaign, contacts, { admit: () => undefined, holdsStatus: true }));
  const rows = await d.db.rows(sql<{ id: number }>`select id from contact where campaign_id = ${campaign} order by id`);
  return rows.map(({ id }) => id);
}

async function planOf(campaign: number): Promise<DialPlan> {
  const plan = await d.dials.loadPlan(campaign);
  if (plan === null) throw new Error(`no campaign ${campaign}`);
  return plan;
}

async function claimAll(campaign: number) {
  const assessment = assessPlan(await planOf(campaign), PLACE);
  expect(assessment.mayDial).toBe(true);
  return d.dials.claim(await claimRequest(d.db, campaign, { admit: admission(assessment), validUntil: assessment.closesAt }));
}

test('a claim takes the contacts whose own hours are open, and keeps the others until theirs [D8.8]', async () => {
  const campaign = await campaignOpenHere();
  const [here = 0, there = 0, unknown = 0] = await add(campaign, [HERE, THERE, '']);
  const outcome = await claimAll(campaign);
  if (outcome.kind !== 'claimed') throw new Error(`expected a claim, got ${outcome.kind}`);
  expect(outcome.dials.map(({ contactId }) => contactId)).toEqual([here]);
  const permission = await d.db.first(sql<{ leftMs: number }>`
    select epoch_ms(valid_until) - epoch_ms(now()) as left_ms from attempt where contact_id = ${here}`);
  expect(permission?.leftMs).toBeGreaterThan(0.9 * HOUR);
  expect(permission?.leftMs).toBeLessThan(1.1 * HOUR);
  const held = await d.db.first(
    sql<{ inMs: number }>`select epoch_ms(hold_until) - epoch_ms(now()) as in_ms from contact where id = ${there}`,
  );
  expect(held?.inMs).toBeGreaterThan(10.5 * HOUR);
  expect(held?.inMs).toBeLessThan(11.5 * HOUR);
  // A number of China: two hours ahead of HERE.
  expect(await contactRow(d.db, unknown)).toMatchObject({ status: 'pending', holdReason: 'outside_window' });
});

test('the campaign knows in which zones it has contacts, which is no change of its settings', async () => {
  const campaign = await addCampaign(d.db);
  const settings = () => d.db.first(sql<{ at: number }>`select updated_at as at from campaign where id = ${campaign}`);
  const before = await settings();
  await add(campaign, [HERE, THERE, '']);
  await add(campaign, [THERE, '']);
  expect((await planOf(campaign)).contactZones).toEqual(['Asia/Shanghai', HERE, THERE].toSorted());
  expect(await settings()).toEqual(before);
});

test('a campaign is closed while no zone of its contacts is open', async () => {
  const campaign = await campaignOpenHere();
  await add(campaign, [THERE]);
  const { mayDial, windowDecision, opensAt, at } = assessPlan(await planOf(campaign), PLACE);
  expect({ mayDial, open: windowDecision.open }).toEqual({ mayDial: false, open: false });
  expect((opensAt ?? 0) - at).toBeGreaterThan(10.5 * HOUR);
});

test('another zone ends the wait for the old one; a record shows where its zones come from', async () => {
  const campaign = await campaignOpenHere();
  const [, there = 0, number = 0] = await add(campaign, [HERE, THERE, '']);
  await claimAll(campaign);
  expect(await contactRow(d.db, there)).toMatchObject({ holdReason: 'outside_window' });
  const contacts = contactRepository(d.db);
  const move = async (id: number, timeZone: string, zones: string | null) => {
    const update = await contacts.update(
      campaign,
      id,
      ({ contact: { zones: _zones, zoneSource: _source, ...before }, dialKey, numbers }) => ({
        ...before,
        dialKey,
        numbers,
        timeZone,
        zones,
      }),
    );
    return update.kind === 'updated' ? update.after : null;
  };
  expect(await move(there, HERE, HERE)).toMatchObject({ holdReason: null, holdUntil: null, zones: [HERE], zoneSource: 'own' });
  expect(await move(number, '', 'Asia/Shanghai')).toMatchObject({ zones: ['Asia/Shanghai'], zoneSource: 'number' });
  expect(await move(number, '', null)).toMatchObject({ zoneSource: 'server' });
  await d.db.run(sql`update campaign set time_zone = ${THERE} where id = ${campaign}`);
  expect(await move(number, '', null)).toMatchObject({ zones: [THERE], zoneSource: 'campaign' });
});
