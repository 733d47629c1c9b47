import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { instant } from '#platform/postgres/values.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import {
  DUE,
  addCampaign,
  addContacts,
  attemptRow,
  batchRow,
  claim,
  type Claimed,
  claimRequest,
  contactRow,
  dial,
  type Dialling,
  grants,
  openDialling,
  phoneNumbers,
  report,
} from '#test/support/dialling.ts';
import type { DialCandidate } from '#dialling/dial-store.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling(24);
});

afterAll(() => d.close());

const contactIds = (claimed: Claimed) => claimed.dials.map(dial => dial.contactId);

describe('order', () => {
  test('due retries first, then priority descending, then id [D5.5]', async () => {
    const campaign = await addCampaign(d.db);
    const [a, b, c, e, f] = await addContacts(d.db, campaign, phoneNumbers(5));
    await d.db.run(sql`update contact set priority = 5 where id = ${c}`);
    await d.db.run(sql`update contact set status = 'failed', retry_at = now() - interval '1 second' where id = ${e}`);
    await d.db.run(sql`update contact set status = 'failed', retry_at = now() - interval '2 seconds' where id = ${f}`);
    expect(contactIds(await claim(d, campaign))).toEqual([f, e, c, a, b]);
  });

  test('retries that are not due, and held, paused and deleted contacts stay', async () => {
    const campaign = await addCampaign(d.db);
    const [later, held, paused, deleted, due] = await addContacts(d.db, campaign, phoneNumbers(5));
    await d.db.run(sql`update contact set status = 'failed', retry_at = now() + interval '1 hour' where id = ${later}`);
    await d.db.run(sql`update contact set hold_reason = 'dnc' where id = ${held}`);
    await d.db.run(sql`update contact set status = 'paused' where id = ${paused}`);
    await d.db.run(sql`update contact set deleted_at = now() where id = ${deleted}`);
    expect(contactIds(await claim(d, campaign))).toEqual([due]);
  });
});

describe('what a claim writes', () => {
  test('attempts claimed, contacts submitted, one batch, the unused grants returned [D7.1]', async () => {
    const campaign = await addCampaign(d.db);
    const numbers = phoneNumbers(2);
    const [first, second] = await addContacts(d.db, campaign, numbers);
    const given = grants(3);
    const script = { scriptId: 7, version: 2 };
    const claimed = await claim(d, campaign, {
      grants: given,
      requestedLimit: 50,
      effectiveLimit: 3,
      createdBy: 9,
      source: 'manual',
      script,
    });
    expect(claimed.dials).toMatchObject([
      { requestId: given[0]?.requestId, contactId: first, phoneNumber: numbers[0], customerName: '李雷', metadata: { city: '北京' } },
      {
        requestId: given[1]?.requestId,
        contactId: second,
        batchId: claimed.batchId,
        lineId: 1,
        callerNumber: '01012345678',
        cellId: 'cell-1',
      },
    ]);
    expect(claimed.unusedRequestIds).toEqual([given[2]?.requestId]);
    expect(claimed.remainingPending).toBe(0);
    const attempt = claimed.dials[0]?.attemptId;
    expect(await contactRow(d.db, first ?? 0)).toMatchObject({ status: 'submitted', attemptCount: 1, lastAttemptId: attempt });
    const batch = await d.db.first(sql`
      select requested_limit as limit, effective_limit as effective, created_by as by, source, status, requested from batch where id = ${claimed.batchId}`);
    expect(batch).toEqual({ limit: 50, effective: 3, by: 9, source: 'manual', status: 'running', requested: 2 });
    const row = await d.db.first(sql`select status, script_id as script, script_version as version from attempt where id = ${attempt}`);
    expect(row).toEqual({ status: 'claimed', script: 7, version: 2 });
  });

  test('nothing eligible: no batch [OCS 4.8 rule 3]', async () => {
    const campaign = await addCampaign(d.db);
    const outcome = await d.dials.claim(await claimRequest(d.db, campaign));
    expect(outcome).toEqual({ kind: 'nothing', remainingPending: 0, held: 0 });
    expect(await d.db.first(sql`select count(*) as batches from batch where campaign_id = ${campaign}`)).toEqual({ batches: 0 });
  });

  test('remainingPending counts contacts that are left and not held', async () => {
    const campaign = await addCampaign(d.db);
    const [held] = await addContacts(d.db, campaign, phoneNumbers(5));
    await d.db.run(sql`update contact set hold_reason = 'dnc' where id = ${held}`);
    expect((await claim(d, campaign, { grants: grants(1) })).remainingPending).toBe(3);
  });

  test('held contacts leave the queue until their instant, or for ever with null [D7.10]', async () => {
    const campaign = await addCampaign(d.db);
    const [listed, capped, free] = await addContacts(d.db, campaign, phoneNumbers(3));
    const until = Date.UTC(2030, 0, 1);
    const claimed = await claim(d, campaign, {
      admit: candidate => {
        if (candidate.contactId === listed) return { kind: 'hold', reason: 'dnc', until: null };
        return candidate.contactId === capped ? { kind: 'hold', reason: 'frequency_cap', until } : { kind: 'admit' };
      },
    });
    expect(contactIds(claimed)).toEqual([free]);
    expect(await contactRow(d.db, listed ?? 0)).toMatchObject({ status: 'pending', holdReason: 'dnc', holdUntil: null });
    expect(await contactRow(d.db, capped ?? 0)).toMatchObject({ status: 'pending', holdReason: 'frequency_cap', holdUntil: until });
  });

  test('a number that fails at once gets a closed attempt that never dialled, and is not dialled again [D4.5, D7.1]', async () => {
    const campaign = await addCampaign(d.db, { maxRetries: 1, retryIntervalSeconds: 600 });
    const [bad] = await addContacts(d.db, campaign, ['abc']);
    const claimed = await claim(d, campaign, { admit: () => ({ kind: 'fail', callStatus: 'invalid_number' }) });
    expect(claimed.dials).toEqual([]);
    expect(claimed.invalid).toMatchObject([{ contactId: bad, phoneNumber: 'abc' }]);
    const attempt = await attemptRow(d.db, claimed.invalid[0]?.requestId ?? '');
    expect(attempt).toMatchObject({ status: 'failed', callStatus: 'invalid_number', dialingAt: null, durationSeconds: 0 });
    const contact = await contactRow(d.db, bad ?? 0);
    expect(contact).toMatchObject({
      status: 'failed',
      attemptCount: 1,
      lastAttemptId: attempt.id,
      retryAt: null,
      holdReason: 'invalid_number',
    });
    expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'failed', requested: 1, submitted: 0, failed: 1 });
  });

  test('holds of many contacts do not stop the claim from reaching later ones', async () => {
    const campaign = await addCampaign(d.db);
    const all = await addContacts(d.db, campaign, phoneNumbers(150));
    const held = new Set(all.slice(0, 120));
    const claimed = await claim(d, campaign, {
      grants: grants(5),
      admit: ({ contactId }) => (held.has(contactId) ? { kind: 'hold', reason: 'blacklist', until: null } : { kind: 'admit' }),
    });
    expect(contactIds(claimed)).toEqual(all.slice(120, 125));
  });

  test('a retry gets a caller number other than its last one when there is one [D4.3]', async () => {
    const campaign = await addCampaign(d.db);
    const [first, second] = await addContacts(d.db, campaign, phoneNumbers(2));
    await d.db.run(sql`update contact set status = 'failed', retry_at = ${DUE}, last_caller_number = '010' where id = ${first}`);
    const claimed = await claim(d, campaign, { grants: [...grants(1, '010'), ...grants(1, '020')] });
    expect(claimed.dials.map(dial => [dial.contactId, dial.callerNumber])).toEqual([
      [first, '020'],
      [second, '010'],
    ]);
  });
});

describe('refusals of a claim', () => {
  test.each([
    ['auto', 'running', 'claimed'],
    ['auto', 'paused', 'stale'],
    ['auto', 'draft', 'stale'],
    ['auto', 'archived', 'stale'],
    ['manual', 'running', 'claimed'],
    ['manual', 'draft', 'claimed'],
    ['manual', 'paused', 'claimed'],
    ['manual', 'archived', 'stale'],
  ] as const)('%s in a campaign that is %s: %s [D7.4]', async (source, status, kind) => {
    const campaign = await addCampaign(d.db, { status });
    await addContacts(d.db, campaign, phoneNumbers(1));
    expect((await d.dials.claim(await claimRequest(d.db, campaign, { source }))).kind).toBe(kind);
  });

  test('a policy edit since the plan makes it stale [D8.6]', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const request = await claimRequest(d.db, campaign);
    await d.db.run(
      sql`insert into policy (name, scope, type, action, config) values ('p', 'global', 'rate_limit', 'limit', '{"callIntervalMs":1}')`,
    );
    expect(await d.dials.claim(request)).toEqual({ kind: 'stale' });
    expect((await d.dials.claim(await claimRequest(d.db, campaign))).kind).toBe('claimed');
  });

  test('an edit of the campaign since the plan makes it stale, because its hours, lines and cell are outdated [I4]', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const request = await claimRequest(d.db, campaign);
    await d.db.run(sql`select pg_sleep(0.005)`);
    await d.db.run(sql`update campaign set workday_start = '09:00', workday_end = '10:00' where id = ${campaign}`);
    expect(await d.dials.claim(request)).toEqual({ kind: 'stale' });
    expect(await d.dials.claim(await claimRequest(d.db, campaign))).toMatchObject({ kind: 'claimed' });
  });

  test('a permission that has expired makes it stale [I4]', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    expect(await d.dials.claim(await claimRequest(d.db, campaign, { validUntil: 1 }))).toEqual({ kind: 'stale' });
  });

  test('a deleted or unknown campaign is stale', async () => {
    expect(await d.dials.claim(await claimRequest(d.db, 1_000_000))).toEqual({ kind: 'stale' });
  });
});

describe('facts for the admission', () => {
  test('the do-not-call entry is found by the number without prefix and separators [D8.7]', async () => {
    const campaign = await addCampaign(d.db);
    const [contact] = await addContacts(d.db, campaign, ['+86 138-0000-7777']);
    const expiresAt = Date.UTC(2031, 0, 1);
    await d.db.run(sql`
      insert into do_not_call (phone_number, dial_key, source, expires_at) values ('13800007777', '+8613800007777', 'manual', ${instant(expiresAt)})`);
    const seen: DialCandidate[] = [];
    await claim(d, campaign, {
      admit: candidate => {
        seen.push(candidate);
        return { kind: 'admit' };
      },
    });
    expect(seen).toMatchObject([
      {
        contactId: contact,
        phoneNumber: '+86 138-0000-7777',
        dialKey: '+8613800007777',
        attemptCount: 0,
        lastEndedAt: null,
        lastCallerNumber: null,
        doNotCall: { expiresAt },
        recentDials: [],
      },
    ]);
  });

  test('earlier dials: of every campaign and of this one, within the days, newest first; claims count, reverted ones do not [D8.4]', async () => {
    const [mine, other] = [await addCampaign(d.db), await addCampaign(d.db)];
    const number = '13811112222';
    const dialedAt = async (campaign: number, daysAgo: number) => {
      const claimed = await dial(d, campaign);
      const requestId = claimed.dials[0]?.requestId ?? '';
      await d.dials.settle([
        {
          requestId,
          status: 'failed',
          callStatus: 'busy',
          hangupCause: null,
          hangupBy: null,
          replyText: null,
          endedAt: null,
          answeredAt: null,
        },
      ]);
      const row = await d.db.first(sql<{ at: number }>`
        update attempt set dialing_at = dialing_at - ${daysAgo} * interval '1 day' where request_id = ${requestId}::uuid returning dialing_at as at`);
      await d.db.run(sql`update contact set status = 'pending', retry_at = null, attempt_count = 0 where campaign_id = ${campaign}`);
      return row?.at ?? 0;
    };
    await addContacts(d.db, other, [number]);
    const elsewhere = await dialedAt(other, 1);
    await dialedAt(other, 3);
    await addContacts(d.db, mine, [number]);
    const here = await dialedAt(mine, 0);
    const reverted = await claim(d, mine);
    await d.dials.revert(
      reverted.dials.map(({ requestId }) => requestId),
      { alsoDialing: false, reason: 'test' },
    );
    const open = await claim(d, other);
    const claimedAt = await d.db.first(sql<{ at: number }>`select claimed_at as at from attempt where id = ${open.dials[0]?.attemptId}`);
    let seen: DialCandidate['recentDials'] | undefined;
    const admit = (candidate: DialCandidate) => {
      seen = candidate.recentDials;
      return { kind: 'admit' } as const;
    };
    await d.dials.claim(await claimRequest(d.db, mine, { frequencyDays: 2, admit }));
    expect(seen).toEqual([
      { at: claimedAt?.at, campaignId: other },
      { at: here, campaignId: mine },
      { at: elsewhere, campaignId: other },
    ]);
  });

  test('two contacts with one number in one claim: the second sees the first [D8.4]', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, ['13822223333', '+8613822223333']);
    const claimed = await claim(d, campaign, {
      frequencyDays: 1,
      admit: ({ recentDials }) =>
        recentDials.length > 0 ? { kind: 'hold', reason: 'frequency_cap', until: Date.UTC(2030, 0, 1) } : { kind: 'admit' },
    });
    expect(claimed.dials).toHaveLength(1);
  });
});

describe('concurrent claims', () => {
  test('20 claims of one campaign share no contact, and every contact is claimed [I2]', async () => {
    const campaign = await addCampaign(d.db);
    const all = await addContacts(d.db, campaign, phoneNumbers(300));
    const requests = await Promise.all(Array.from({ length: 20 }, () => claimRequest(d.db, campaign, { grants: grants(15) })));
    const outcomes = await Promise.all(requests.map(request => d.dials.claim(request)));
    const claimed = outcomes.flatMap(outcome => (outcome.kind === 'claimed' ? contactIds(outcome) : []));
    expect(claimed.toSorted((a, b) => a - b)).toEqual(all);
    const open = await d.db.first(
      sql`select count(*) as open, count(distinct contact_id) as contacts from attempt where campaign_id = ${campaign}`,
    );
    expect(open).toEqual({ open: 300, contacts: 300 });
  });

  test('one number in many campaigns: claims that check the frequency never exceed the limit together, nor one call at a time [D7.10, D8.4]', async () => {
    const number = '13855556666';
    const campaigns = await Promise.all(Array.from({ length: 8 }, () => addCampaign(d.db)));
    for (const campaign of campaigns) await addContacts(d.db, campaign, [number]);
    const requests = await Promise.all(
      campaigns.map(campaign =>
        claimRequest(d.db, campaign, {
          frequencyDays: 1,
          admit: ({ recentDials }) =>
            recentDials.length >= 2 ? { kind: 'hold', reason: 'frequency_cap', until: Date.UTC(2030, 0, 1) } : { kind: 'admit' },
        }),
      ),
    );
    const outcomes = await Promise.all(requests.map(request => d.dials.claim(request)));
    expect(outcomes.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
  });

  test('a contact with a concurrent edit is left to the next claim, without waiting', async () => {
    const campaign = await addCampaign(d.db);
    const [edited, free] = await addContacts(d.db, campaign, phoneNumbers(2));
    await d.db.transaction(async tx => {
      await tx.run(sql`select 1 from contact where id = ${edited} for update`);
      expect(contactIds(await claim(d, campaign))).toEqual([free]);
    });
    expect(contactIds(await claim(d, campaign))).toEqual([edited]);
  });

  test('a contact with an open attempt is not claimed, whatever its status [I2]', async () => {
    const campaign = await addCampaign(d.db);
    const [contact] = await addContacts(d.db, campaign, phoneNumbers(1));
    const first = await claim(d, campaign);
    await d.db.run(sql`update contact set status = 'pending' where id = ${contact}`);
    expect((await d.dials.claim(await claimRequest(d.db, campaign))).kind).toBe('nothing');
    expect(await d.db.first(sql`select count(*) as attempts from attempt where contact_id = ${contact}`)).toEqual({ attempts: 1 });
    expect(first.dials).toHaveLength(1);
  });

  test('a claim names the last call of its contact, whose channel may still exist [I2]', async () => {
    const campaign = await addCampaign(d.db, { maxRetries: 1, retryIntervalSeconds: 0 });
    await addContacts(d.db, campaign, phoneNumbers(1));
    const first = (await dial(d, campaign)).dials[0];
    expect(first?.previousRequestId).toBeNull();
    await d.dials.applyResult(report({ requestId: first?.requestId ?? '', callStatus: 'no_answer' }));
    expect((await claim(d, campaign)).dials[0]?.previousRequestId).toBe(first?.requestId);
  });

  test('contacts that only seem free take no grant from later ones', async () => {
    const campaign = await addCampaign(d.db);
    const [, , free] = await addContacts(d.db, campaign, phoneNumbers(3));
    await claim(d, campaign, { grants: grants(2) });
    await d.db.run(sql`update contact set status = 'pending' where campaign_id = ${campaign}`);
    expect(contactIds(await claim(d, campaign, { grants: grants(1) }))).toEqual([free]);
  });

  test('an open attempt that appears meanwhile skips that contact, not the batch [attempt_one_open]', async () => {
    const campaign = await addCampaign(d.db);
    const [taken, free] = await addContacts(d.db, campaign, phoneNumbers(2));
    let claiming: Promise<Claimed> | undefined;
    await d.db.transaction(async tx => {
      await tx.run(sql`
        insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status)
        select gen_random_uuid(), campaign_id, id, phone_number, dial_key, 'claimed' from contact where id = ${taken}`);
      claiming = claim(d, campaign);
      await waitUntil('the claim waits for the other attempt', async () => {
        const row = await d.db.first(sql<{ waiting: boolean }>`select exists (select 1 from pg_locks where not granted) as waiting`);
        return row?.waiting;
      });
    });
    const claimed = await claiming;
    expect(claimed && contactIds(claimed)).toEqual([free]);
    expect(claimed?.unusedRequestIds).toHaveLength(9);
    expect(await batchRow(d.db, claimed?.batchId ?? 0)).toMatchObject({ status: 'running', requested: 1 });
  });
});
