import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { sql } from 'kysely';
import { softphoneRepository } from '#agent-calls/agent-call-store.ts';
import { dialStore } from '#dialling/dial-statements.ts';
import { systemIds } from '#kernel/ids.ts';
import {
  addCampaign,
  addContacts,
  claimRequest,
  contactRow,
  dial,
  type Dialling,
  grants,
  mark,
  openDialling,
  phoneNumbers,
  report,
  settled,
} from '#test/support/dialling.ts';
import type { AdmitDial } from '#dialling/dial-store.ts';

const ROUNDS = 40;
/** Numbers in both campaigns, in a different order in each. */
const COMMON = 6;

let d: Dialling;
const freed: number[][] = [];

beforeAll(async () => {
  d = await openDialling(16);
  d = { ...d, dials: dialStore(d.db, campaignIds => freed.push([...campaignIds])) };
});
afterAll(() => d.close());

/** Decides like the rules, from this fact alone. */
const admit: AdmitDial = ({ isInCall }, at) =>
  isInCall ? { kind: 'hold', reason: 'in_call_elsewhere', until: at + 60_000 } : { kind: 'admit' };

async function claimIn(campaignId: number, count = 10) {
  const outcome = await d.dials.claim(await claimRequest(d.db, campaignId, { admit, grants: grants(count) }));
  return outcome.kind === 'claimed' ? outcome.dials : [];
}

async function campaignWith(numbers: readonly string[]) {
  const id = await addCampaign(d.db, { maxRetries: 3 });
  const contacts = await addContacts(d.db, id, numbers);
  return { id, contacts };
}

const manualCall = (phoneNumber: string) =>
  softphoneRepository(d.db, ids => freed.push([...ids])).create({
    requestId: systemIds(),
    direction: 'manual_call',
    agentId: null,
    userId: null,
    number: { phoneNumber, dialKey: dialKey(phoneNumber, 'CN') },
    legs: [],
  });

describe('a number that is in a call', () => {
  test('is not claimed by another campaign; the end of that call returns its contact and wakes the campaign [D7.10]', async () => {
    const [number = ''] = phoneNumbers(1);
    const [first, second] = [await campaignWith([number]), await campaignWith([number])];
    const [busy] = (await dial(d, first.id)).dials;
    expect(await claimIn(second.id)).toEqual([]);
    const contactId = second.contacts[0] ?? 0;
    expect(await contactRow(d.db, contactId)).toMatchObject({ status: 'pending', holdReason: 'in_call_elsewhere', attemptCount: 0 });
    freed.length = 0;
    await d.dials.settle([settled(busy?.requestId ?? '')]);
    expect(freed).toEqual([[second.id]]);
    expect(await contactRow(d.db, contactId)).toMatchObject({ holdReason: null });
    // Its channel may still exist for a moment, so its slot is awaited.
    expect(await claimIn(second.id)).toMatchObject([{ previousRequestId: busy?.requestId }]);
  });

  test.each(['a result', 'a claim that is taken back'])('%s ends the wait as well [D7.10]', async how => {
    const [number = ''] = phoneNumbers(1);
    const [first, second] = [await campaignWith([number]), await campaignWith([number])];
    const [claimed] = await claimIn(first.id);
    const requestId = claimed?.requestId ?? '';
    expect(await claimIn(second.id)).toEqual([]);
    freed.length = 0;
    if (how === 'a result') {
      await d.dials.markDialing([requestId]);
      await d.dials.applyResult(report({ requestId, callStatus: 'completed' }));
    } else await d.dials.revert([requestId], { alsoDialing: false, reason: '' });
    expect(freed).toEqual([[second.id]]);
    expect(await claimIn(second.id)).toHaveLength(1);
  });

  test('in a campaign is not called by an agent, and the reverse until the agent has hung up [D12.3]', async () => {
    const [number = ''] = phoneNumbers(1);
    const { id } = await campaignWith([number]);
    const [claimed] = await claimIn(id);
    expect(await manualCall(number)).toBe('number_busy');
    await d.dials.revert([claimed?.requestId ?? ''], { alsoDialing: false, reason: '' });
    const call = await manualCall(number);
    if (typeof call === 'string') throw new Error(call);
    expect(await manualCall(number)).toBe('number_busy');
    expect(await claimIn(id)).toEqual([]);
    freed.length = 0;
    await softphoneRepository(d.db, ids => freed.push([...ids])).close(call.id, { status: 'completed', endedAt: Date.now() });
    expect(freed).toEqual([[id]]);
    expect(await claimIn(id)).toHaveLength(1);
  });

  test('a person who continues to speak after the result is still in a call [D7.10]', async () => {
    const [number = ''] = phoneNumbers(1);
    const [first, second] = [await campaignWith([number]), await campaignWith([number])];
    const [claimed] = await claimIn(first.id);
    await d.dials.markDialing([claimed?.requestId ?? '']);
    await d.dials.applyResult(report({ requestId: claimed?.requestId ?? '', callStatus: 'completed' }));
    await d.db.run(sql`
      insert into softphone_call (request_id, direction, status, attempt_id)
      values (gen_random_uuid(), 'conference', 'answered', ${claimed?.attemptId ?? 0})`);
    expect(await claimIn(second.id)).toEqual([]);
  });

  test('a server without the check may claim it: of two claims the first is marked, and none beside a live call [D7.10, A6]', async () => {
    const [number = ''] = phoneNumbers(1);
    const campaigns = [await campaignWith([number]), await campaignWith([number])];
    const requestIds = campaigns.map(() => systemIds());
    for (const [index, { id, contacts }] of campaigns.entries())
      await d.db.run(sql`
        insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, policy_version)
        select ${requestIds[index]}, ${id}, ${contacts[0]}, ${number}, dial_key, 'claimed', (select version from rules_version)
        from contact where id = ${contacts[0]}`);
    const [first = '', second = ''] = requestIds;
    expect(await mark(d, [second])).toEqual([]);
    expect(await mark(d, [first, second])).toEqual([first]);
    expect(await mark(d, [second])).toEqual([]);
  });
});

test(`${ROUNDS} times two campaigns and an agent request the same people at the same instant: each number is in one call, and none waits for ever`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const numbers = phoneNumbers(COMMON);
    const [first, second] = [await campaignWith(numbers), await campaignWith(numbers.toReversed())];
    const [one, other, ...calls] = await Promise.all([
      claimIn(first.id, COMMON),
      claimIn(second.id, COMMON),
      ...numbers.slice(0, 2).map(manualCall),
    ]);
    const taken = [...one, ...other].map(({ phoneNumber }) => phoneNumber);
    const byAgents = calls.flatMap(call => (typeof call === 'string' ? [] : [call.phoneNumber]));
    expect([...taken, ...byAgents].toSorted()).toEqual(numbers.toSorted());
  }
}, 120_000);
