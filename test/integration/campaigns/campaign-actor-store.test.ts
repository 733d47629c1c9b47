import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { systemIds } from '#kernel/ids.ts';
import { campaignActorStore } from '#campaigns/campaign-actor-store.ts';
import { type CampaignHost, orderCampaign } from '#campaigns/campaign-actor.ts';
import type { ActorStore } from '#platform/actor-host/actor-store.ts';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import { campaignHostOver, editCampaign } from '#test/support/campaign-host.ts';
import { AT, drained, failures, turn } from '#test/support/campaign-turns.ts';
import { addCampaign, addContacts, type Dialling, openDialling, phoneNumbers } from '#test/support/dialling.ts';

let d: Dialling;
let store: ActorStore;
let host: CampaignHost;

beforeAll(async () => {
  d = await openDialling();
  store = campaignActorStore(d.db);
  host = campaignHostOver(store);
});
afterAll(() => d.close());

interface Row {
  status: CampaignStatus;
  name: string;
  phase: string;
  reason: string | null;
  cause: string | null;
  refusal: string | null;
  inMs: number | null;
  version: number;
  commands: string[];
  updatedAt: number;
}

function rowOf(campaignId: number): Promise<Row | undefined> {
  return d.db.first(sql<Row>`
    select status, name, phase, phase_reason as reason, phase_cause as cause, phase_refusal as refusal, epoch_ms(next_wake_at) - epoch_ms(now()) as "inMs", actor_version as version,
      actor_commands as commands, updated_at as "updatedAt" from campaign where id = ${campaignId}`);
}

const order = (campaignId: number, to: CampaignStatus, from: CampaignHost = host) =>
  orderCampaign({ campaignHost: from, dials: d.dials, ids: systemIds }, campaignId, { to, by: 'admin' });
const waitsForSwitch = turn({ isCellReachable: false });

describe('a turn', () => {
  test('writes phase, reason and wake-up of a running campaign and does not count as an edit', async () => {
    const campaign = await addCampaign(d.db);
    const before = await rowOf(campaign);
    expect(await host.send(String(campaign), waitsForSwitch, 'turn:1')).toMatchObject({ kind: 'applied' });
    const after = await rowOf(campaign);
    expect(after).toMatchObject({
      phase: 'SWITCH_UNREACHABLE',
      reason: '交换机不可达',
      cause: 'switch_unreachable',
      refusal: 'switch_unreachable',
      version: 1,
      updatedAt: before?.updatedAt,
    });
    expect(after?.inMs).toBeGreaterThan(3_000);
    expect(after?.inMs).toBeLessThanOrEqual(5_000);
  });

  test('with an unchanged reason keeps its since; another reason starts a new one', async () => {
    const campaign = await addCampaign(d.db);
    const since = async () => (await d.db.first(sql<{ at: number }>`select phase_since as at from campaign where id = ${campaign}`))?.at;
    await host.send(String(campaign), waitsForSwitch, 'turn:1');
    const first = await since();
    expect(first).toEqual(expect.any(Number));
    await host.send(String(campaign), turn({ isCellReachable: false, at: AT + 60_000 }), 'turn:2');
    expect(await since()).toBe(first);
    await host.send(String(campaign), turn({ slotRefusal: { reason: 'line_full', nextEligibleAt: null } }), 'turn:3');
    expect(await since()).toBeGreaterThan(first ?? 0);
  });

  test('is ignored by a campaign that does not run', async () => {
    const campaign = await addCampaign(d.db, { status: 'paused' });
    expect(await host.send(String(campaign), waitsForSwitch, 'turn:1')).toMatchObject({ kind: 'ignored' });
    expect(await rowOf(campaign)).toMatchObject({ phase: 'IDLE', version: 0 });
  });

  test('counts as one command in the memory, however many there are, so that user commands stay known', async () => {
    const campaign = await addCampaign(d.db, { status: 'paused' });
    await addContacts(d.db, campaign, phoneNumbers(1));
    await order(campaign, 'running');
    for (let n = 0; n < 12; n++) await host.send(String(campaign), turn({ isCellReachable: n % 2 === 0 }), `turn:${n}`);
    expect((await rowOf(campaign))?.commands).toEqual([expect.stringMatching(/^order:/), 'turn:11']);
    for (let n = 0; n < 5; n++)
      await Promise.all([order(campaign, 'paused'), order(campaign, 'running')].map(done => done.catch(() => null)));
    expect((await rowOf(campaign))?.commands.length).toBeLessThanOrEqual(8);
  });

  test('loses to a faster commit, because its findings are outdated', async () => {
    const campaign = await addCampaign(d.db);
    const seen = await host.find(String(campaign));
    await addContacts(d.db, campaign, phoneNumbers(1));
    await order(campaign, 'running');
    expect(seen && (await host.sendIfUnchanged(String(campaign), waitsForSwitch, 'turn:1', seen))).toBeNull();
    expect(await rowOf(campaign)).toMatchObject({ phase: 'IDLE', version: 1 });
  });
});

describe('the breaker', () => {
  test('is in the row with its phase, in one commit, and survives a restart', async () => {
    const campaign = await addCampaign(d.db);
    await host.send(String(campaign), turn(), 'turn:1');
    await host.send(String(campaign), failures, 'ends:1');
    expect(await rowOf(campaign)).toMatchObject({ phase: 'SWITCH_UNREACHABLE', version: 2 });
    const { state } = (await campaignHostOver(campaignActorStore(d.db)).find(String(campaign))) ?? {};
    expect(state?.value).toEqual({ status: { running: 'SWITCH_UNREACHABLE' }, breaker: 'open' });
    const plan = await d.dials.loadPlan(campaign);
    expect(plan?.breaker).toEqual(state?.context.breaker);
    // The row orders causes differently from the program; the reason is equal nonetheless.
    expect(await host.send(String(campaign), turn(), 'turn:2')).toMatchObject({ state: { context: { reason: state?.context.reason } } });
  });
});

describe('a completion', () => {
  test('is refused by the commit while work is left that the turn did not see', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const seen = await host.find(String(campaign));
    expect(seen && (await host.sendIfUnchanged(String(campaign), drained, 'turn:1', seen))).toBeNull();
    expect(await rowOf(campaign)).toMatchObject({ status: 'running' });
  });

  test('ends phase and wake-up', async () => {
    const campaign = await addCampaign(d.db);
    await host.send(String(campaign), waitsForSwitch, 'turn:1');
    await host.send(String(campaign), drained, 'turn:2');
    expect(await rowOf(campaign)).toMatchObject({ status: 'completed', phase: 'IDLE', reason: null, refusal: null, inMs: null });
  });
});

describe('a command', () => {
  test('changes status and settings in one commit; a start wakes at once', async () => {
    const campaign = await addCampaign(d.db, { status: 'draft' });
    await addContacts(d.db, campaign, phoneNumbers(1));
    const edit = (fields: Parameters<NonNullable<Parameters<typeof orderCampaign>[2]['edit']>>[0]) => ({
      fields: { ...fields, name: '新名' },
      given: ['name'] as const,
    });
    const deps = { campaignHost: host, dials: d.dials, ids: systemIds };
    const { before, after } = await orderCampaign(deps, campaign, { to: 'running', by: 'admin', edit });
    expect([before.context.fields.name, after.context.fields.name]).toEqual(['回访', '新名']);
    const row = await rowOf(campaign);
    expect(row).toMatchObject({ status: 'running', name: '新名', version: 1 });
    expect(row?.inMs).toBeLessThanOrEqual(0);
  });

  test('that refers to a missing object writes nothing [OCS 2.5]', async () => {
    const campaign = await addCampaign(d.db, { status: 'paused' });
    await expect(editCampaign(store, campaign, { name: '新名', lineIds: [999_999] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await rowOf(campaign)).toMatchObject({ name: '回访', version: 0 });
  });

  test('of two concurrent instances: each is applied, none lost', async () => {
    const campaign = await addCampaign(d.db, { status: 'paused' });
    const other = campaignActorStore(d.db);
    await Promise.all([editCampaign(store, campaign, { name: '新名' }), editCampaign(other, campaign, { description: '说明' })]);
    const row = await d.db.first(sql`select name, description, actor_version as version from campaign where id = ${campaign}`);
    expect(row).toEqual({ name: '新名', description: '说明', version: 2 });
  });

  test('leaves its effects in the outbox until they are done', async () => {
    const campaign = await addCampaign(d.db);
    const effects: string[] = [];
    const own = campaignHostOver(store, effects);
    await order(campaign, 'paused', own);
    await own.idle();
    expect(effects).toEqual(['cancelClaims', 'recordEvent']);
    expect(await d.db.rows(sql`select key from outbox where kind = 'campaign_effect' and key like ${`${campaign}|%`}`)).toEqual([]);
  });
});
