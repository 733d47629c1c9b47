import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { claimDials, type ClaimApp, type ClaimedBatch } from '#dialling/claim.ts';
import { assessPlan } from '#dialling/decisions/assess.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { placeInChina } from '#phone-numbers/china-places.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import { addCampaign, addContacts, type Dialling, openDialling, phoneNumbers } from '#test/support/dialling.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';

const INSTANCES = 16;
const TIMEOUT_MS = 120_000;
const PLACE = { timeZone: 'Asia/Shanghai', region: 'CN' as const, allowedShortCodes: [] };
/** Dials that each number may make: the line's hourly cap, or the number's own daily one. */
const CAPS: Readonly<Record<string, number>> = { '02166660001': 9, '02166660002': 9, '02166660003': 4 };

let d: Dialling;
let redis: FreshRedis;
let links: RedisLink[];
let registries: SlotRegistry[];

beforeAll(async () => {
  d = await openDialling(INSTANCES);
  redis = await freshRedis();
  links = await Promise.all(
    Array.from({ length: INSTANCES }, () => connectRedis({ url: redis.url, connectTimeoutMs: 20_000, commandTimeoutMs: 20_000 })),
  );
  registries = links.map(link => redisSlotRegistry(link, { leaseMs: 30_000 }));
});
afterAll(async () => {
  await Promise.all(links.map(link => link.close()));
  await redis.release();
  await d.close();
});

function appOf(slots: SlotRegistry): ClaimApp {
  const dials = d.dials;
  return {
    dials,
    slots,
    withdrawals: { withdraw: async ({ requestIds }) => void (await slots.release(requestIds)), run: async () => undefined },
    runtimes: { hasUnregistered: () => false, isOpenEnded: async () => false },
    settings: { ...PLACE, runtime: 'rest', instanceId: 'test', breaker: { probeDials: 5 } } as unknown as ClaimApp['settings'],
    wake: { campaign: () => undefined },
    switchPort: {
      cells: () => [{ cellId: 'cell-1', isEnabled: true, state: 'up', since: 0, maxConcurrency: 0, maxOriginatesPerSecond: 100_000 }],
    } as unknown as ClaimApp['switchPort'],
    ids: systemIds,
    log: silentLog,
  };
}

async function claimBatch(slots: SlotRegistry, campaignId: number, limit: number): Promise<ClaimedBatch | null> {
  const plan = await d.dials.loadPlan(campaignId);
  if (plan === null) return null;
  const order = { source: 'auto', requestedLimit: limit, effectiveLimit: limit, createdBy: null } as const;
  return claimDials(appOf(slots), plan, assessPlan(plan, PLACE), order);
}

/** One round of an instance: claims, takes some claims back, dials the others; the calls end at once. */
async function playRound(slots: SlotRegistry, campaignId: number, random: () => number): Promise<void> {
  const batch = await claimBatch(slots, campaignId, 1 + Math.floor(random() * 3));
  const requestIds = (batch?.dials ?? []).map(({ requestId }) => requestId);
  const taken = requestIds.filter(() => random() < 0.3);
  await d.dials.revert(taken, { alsoDialing: false, reason: 'taken back' });
  await slots.release(taken);
  const confirmed = await confirmAll(
    slots,
    requestIds.filter(id => !taken.includes(id)),
  );
  const marked = (await d.dials.markDialing(confirmed)).map(({ requestId }) => requestId);
  await slots.permit(marked.map(requestId => ({ requestId, withinMs: 60_000, missed: 0 })));
  const settled = { callStatus: 'no_answer', hangupCause: null, hangupBy: null, replyText: null, endedAt: null, answeredAt: null } as const;
  await d.dials.settle(marked.map(requestId => ({ requestId, status: 'failed', ...settled })));
  await slots.release(marked);
}

async function confirmAll(slots: SlotRegistry, requestIds: readonly string[]): Promise<string[]> {
  const answers = await slots.confirm(requestIds);
  const of = (wanted: string) => answers.filter(({ outcome }) => outcome === wanted).map(({ requestId }) => requestId);
  const early = of('early');
  return [...of('confirmed'), ...(early.length > 0 ? await confirmAll(slots, early) : [])];
}

/** Does with claims that nobody dials the same as the reconciler. */
async function reap(slots: SlotRegistry): Promise<void> {
  const claimed = (await d.dials.openAttempts(0, 1_000)).filter(({ status }) => status === 'claimed').map(({ requestId }) => requestId);
  await d.dials.revert(claimed, { alsoDialing: false, reason: 'nobody dials it' });
  await slots.release(claimed);
}

async function openAgain(slots: SlotRegistry): Promise<void> {
  await slots.startRebuild('again');
  const open = await d.dials.openAttempts(0, 1_000);
  await slots.restore(
    'again',
    open.map(({ requestId, campaignId, lineId, callerNumber: number, cellId }) => ({
      requestId,
      campaignId,
      lineId,
      number,
      cellId,
      needsMonitor: false,
    })),
  );
  await slots.open('again');
}

async function dialled(): Promise<Record<string, number>> {
  const rows = await d.db.rows(sql<{ number: string; dials: number }>`
    select caller_number as number, count(*) as dials from attempt
    where dialing_at is not null and caller_number = any(${Object.keys(CAPS)}) group by caller_number`);
  return Object.fromEntries(rows.map(({ number, dials }) => [number, dials]));
}

async function addLine(campaignIds: readonly number[], rules: object = { hourlyCap: 9 }, numbers = Object.keys(CAPS)): Promise<number> {
  const line = await d.db.first(sql<{ id: number }>`
    insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
    values ('capped', ${`capped-${systemIds()}`}, '{{destinationNumber}}', 1000, 'number_pool') returning id`);
  const id = line?.id ?? 0;
  await d.db.run(sql`update line set number_rules = number_rules || ${JSON.stringify(rules)}::jsonb where id = ${id}`);
  for (const [position, number] of numbers.entries())
    await d.db.run(sql`
      insert into line_number (line_id, number, max_concurrency, position, daily_cap)
      values (${id}, ${number}, 100, ${position}, ${CAPS[number] === 4 ? 4 : null})`);
  await d.db.run(sql`update campaign set max_concurrency = 20 where id = any(${[...campaignIds]}::int[])`);
  for (const campaignId of campaignIds) await d.db.run(sql`insert into campaign_line values (${campaignId}, ${id}, 0)`);
  return id;
}

describe('the number of a dial', () => {
  test.each([1, 2])(
    'a retry that is dialled alone takes another number, also when the contact before it is held [D4.3, D4.8] (%s)',
    async turn => {
      const campaign = await addCampaign(d.db, { maxRetries: 3 });
      const numbers = [`0216667000${turn}`, `0216667100${turn}`];
      const line = await addLine([campaign], { hourlyCap: null }, numbers);
      await d.db.run(sql`update line_number set weight = 100 where line_id = ${line} and number = ${numbers[0]}`);
      const [listed = '', called = ''] = phoneNumbers(2);
      const [, contact] = await addContacts(d.db, campaign, [listed, called]);
      await d.db.run(sql`insert into do_not_call (phone_number, dial_key, source) values (${listed}, ${dialKey(listed, 'CN')}, 'manual')`);
      await d.db.run(sql`update contact set last_caller_number = ${numbers[0]}, attempt_count = 1 where id = ${contact}`);
      await openAgain(registries[0] as SlotRegistry);
      const batch = await claimBatch(registries[0] as SlotRegistry, campaign, 1);
      expect(batch?.dials).toMatchObject([{ contactId: contact, callerNumber: numbers[1] }]);
    },
  );

  test('a person is called from the number that reached them last, from any campaign, else from one of their province [D4.8]', async () => {
    const [first, second] = [await addCampaign(d.db), await addCampaign(d.db)];
    const numbers = ['02066680001', '02166680002', '075566680003'];
    const rules = { keepsNumber: true, prefersPlace: true };
    for (const campaign of [first, second]) await addLine([campaign], rules, numbers);
    const reached = '13500135000';
    // 广东省
    const stranger = phoneNumbers(1, 13_500_000_000 + 20)[0] ?? '';
    await addContacts(d.db, first, [reached]);
    await openAgain(registries[0] as SlotRegistry);
    const place = placeInChina(dialKey(reached, 'CN'));
    expect(place).not.toBeNull();
    const [dial] = (await claimBatch(registries[0] as SlotRegistry, first, 1))?.dials ?? [];
    await d.db.run(sql`
      update attempt set status = 'completed', caller_number = '02166680002', dialing_at = now(), accepted_at = now(), answered_at = now(), ended_at = now()
      where request_id = ${dial?.requestId}::uuid`);
    await addContacts(d.db, second, [reached, stranger]);
    const dials = (await claimBatch(registries[0] as SlotRegistry, second, 2))?.dials ?? [];
    expect(dials[0]?.callerNumber).toBe('02166680002');
    const expected = numbers.filter(
      each => placeInChina(dialKey(each, 'CN'))?.province === placeInChina(dialKey(stranger, 'CN'))?.province,
    );
    expect(expected.length === 0 ? numbers : expected).toContain(dials[1]?.callerNumber);
  });
});

describe('caps of caller numbers [D4.7, I11]', () => {
  test(
    `hold under ${INSTANCES} instances, a lost cache and restarts, and are used up`,
    async () => {
      const campaigns = await Promise.all([0, 1, 2, 3].map(() => addCampaign(d.db, { maxRetries: 0 })));
      for (const campaign of campaigns) await addContacts(d.db, campaign, phoneNumbers(40));
      await addLine(campaigns);
      const random = seededRandom(11);
      const next = () => random.next();
      const play = (rounds: number) =>
        Promise.all(
          registries.map(async (slots, index) => {
            for (let round = 0; round < rounds; round += 1)
              await playRound(slots, campaigns[(index + round) % campaigns.length] ?? 0, next);
          }),
        );
      await openAgain(registries[0] as SlotRegistry);
      // The cache is lost twice while instances claim, and comes back empty.
      const loseTwice = async () => {
        for (let loss = 0; loss < 2; loss += 1) {
          await new Promise(resolve => setTimeout(resolve, 150));
          await links[0]?.run(client => client.flushdb());
          await openAgain(registries[loss] as SlotRegistry);
        }
      };
      await Promise.all([play(4), loseTwice()]);
      for (const [number, dials] of Object.entries(await dialled())) expect([number, dials <= (CAPS[number] ?? 0)]).toEqual([number, true]);
      // Restarted instances know nothing but the stores.
      registries = links.map(link => redisSlotRegistry(link, { leaseMs: 30_000 }));
      await links[0]?.run(client => client.flushdb());
      await openAgain(registries[0] as SlotRegistry);
      await reap(registries[0] as SlotRegistry);
      await play(10);
      await reap(registries[0] as SlotRegistry);
      await play(10);
      expect(await dialled()).toEqual(CAPS);
      const refused = await claimBatch(registries[0] as SlotRegistry, campaigns[0] ?? 0, 1);
      expect(refused).toMatchObject({ dials: [], refusal: 'number_cap' });
      expect(refused?.retryInMs).toBeGreaterThan(60_000);
    },
    TIMEOUT_MS,
  );
});
