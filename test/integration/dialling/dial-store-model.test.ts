import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { sleep, systemClock } from '#kernel/clock.ts';
import { CONSENT_KINDS, type ConsentKind } from '#consent/consent.ts';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { type Dialling, openDialling, report, settled } from '#test/support/dialling.ts';
import { type DialSide, postgresSide, simulatedSide, type SidePlan } from './dial-sides.ts';
import type { AdmitDial, AdmitVerdict, DialCandidate, MarkedDial } from '#dialling/dial-store.ts';

const RUNS = 40;
const LENGTH = 25;
const TIMEOUT_MS = 300_000;
/** Lease and similar limits that never expire within a run. */
const LIMIT = 1_000;
const LEASE_MS = 3_600_000;
const WHOLE_RUN_MS = 3_600_000;

const CAMPAIGNS = 2;
/** Request ids that one grant may use, each once. */
const GRANTS_AT_ONCE = 4;
/**
 * Contacts by campaign, several numbers of one between slashes: one person's other number is a contact of the campaign, too, another's is one
 * of the other campaign, and both campaigns have a number in common.
 */
const NUMBERS = [
  ['13900000001', '13900000002/13900000005', '13900000003/13900000004/13900000007', '13900000004'],
  ['13900000004', '13900000005', '13900000006/13900000007'],
];

const CALLERS = ['01000000000', '02000000000'];

type Verdict = 'admit' | 'admit until now' | 'hold' | 'hold for a time' | 'fail';
type Step =
  | { do: 'claim'; campaign: number; grants: number; isManual: boolean; isStale: boolean; verdicts: Verdict[] }
  | { do: 'mark' | 'accept' | 'answer' | 'acceptAndAnswer' | 'hear' | 'answerAndHear' | 'unhear' | 'find'; dials: number[] }
  | { do: 'revert'; dials: number[]; alsoDialing: boolean }
  | {
      do: 'settle' | 'record';
      dials: number[];
      status: 'completed' | 'failed' | 'outcome_unknown';
      callStatus: 'busy' | 'completed' | 'no_answer' | 'invalid_number' | null;
      replyText: string | null;
      isOurFault: boolean;
      isSilent: boolean;
      isResultMissing: boolean;
    }
  | {
      do: 'result';
      dial: number;
      callStatus: 'completed' | 'voicemail' | 'no_answer';
      intent: string | null;
      optOut: boolean;
      says: string[];
    }
  | { do: 'captions'; dial: number; says: string[] }
  | { do: 'cancelClaims' | 'plan'; campaign: number }
  | { do: 'cancelBatch'; batch: number }
  | { do: 'status'; campaign: number; status: CampaignStatus }
  | { do: 'list'; number: number; isListed: boolean }
  | { do: 'consent'; number: number; kind: ConsentKind }
  | { do: 'urge'; number: number; urgency: number; isBounded: boolean }
  | { do: 'policies' | 'open' | 'outbox' | 'holds' | 'reported' | 'numbers' };

const small = (max: number, min = 0) => fc.integer({ min, max });
const campaign = small(CAMPAIGNS - 1);
/** Counted back from the last grant: mostly live dials. */
const dials = fc.uniqueArray(small(7), { minLength: 1, maxLength: 4 });
const kind = <Name extends Step['do']>(...names: Name[]) => fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: kind('claim'),
      campaign,
      grants: small(GRANTS_AT_ONCE, 1),
      isManual: fc.boolean(),
      isStale: small(9).map(dice => dice === 0),
      verdicts: fc.array(fc.constantFrom<Verdict>('admit', 'admit', 'admit', 'admit until now', 'hold', 'hold for a time', 'fail'), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: kind('mark', 'accept', 'answer', 'acceptAndAnswer', 'hear', 'answerAndHear', 'unhear', 'find'), dials }),
  },
  { weight: 2, arbitrary: fc.record({ do: kind('revert'), dials, alsoDialing: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('settle', 'record'),
      dials,
      status: fc.constantFrom('completed' as const, 'failed' as const, 'outcome_unknown' as const),
      callStatus: fc.constantFrom('busy' as const, 'completed' as const, 'no_answer' as const, 'invalid_number' as const, null),
      replyText: fc.constantFrom(null, '-ERR GATEWAY_DOWN'),
      isOurFault: fc.boolean(),
      isSilent: fc.boolean(),
      isResultMissing: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: kind('result'),
      dial: small(5),
      callStatus: fc.constantFrom('completed' as const, 'voicemail' as const, 'no_answer' as const),
      intent: fc.constantFrom(null, 'yes', 'no'),
      optOut: small(4).map(dice => dice === 0),
      says: fc.subarray(['喂', '您好', '再见']),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: kind('captions'), dial: small(5), says: fc.subarray(['喂', '您好', '好的']) }) },
  { weight: 2, arbitrary: fc.record({ do: kind('cancelClaims', 'plan'), campaign }) },
  { weight: 1, arbitrary: fc.record({ do: kind('cancelBatch'), batch: small(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: kind('status'), campaign, status: fc.constantFrom<CampaignStatus>('running', 'paused', 'draft') }),
  },
  { weight: 1, arbitrary: fc.record({ do: kind('list'), number: small(3), isListed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: kind('consent'), number: small(3), kind: fc.constantFrom(...CONSENT_KINDS) }) },
  { weight: 2, arbitrary: fc.record({ do: kind('urge'), number: small(3), urgency: small(2), isBounded: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: kind('policies', 'open', 'outbox', 'holds', 'reported', 'numbers') }) },
);

const SAID = { speaker: 'bot', startMs: null, endMs: null, nodeId: null } as const;

const requestId = (index: number) => `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`;

/** Plays one side; both sides count their grants alike. */
function player(side: DialSide) {
  const { dials: store } = side;
  // The first ids are never granted, so that a step may name a dial that does not exist.
  let granted = 10;
  const idOf = (back: number) => requestId(granted - 1 - back);
  const campaignOf = (index: number) => side.campaigns[index] ?? 0;

  async function claim(what: Extract<Step, { do: 'claim' }>): Promise<unknown> {
    const grants = Array.from({ length: what.grants }, () => {
      const number = CALLERS[granted % 2] ?? null;
      return { requestId: requestId(granted++), lineId: 1, number, cellId: 'cell-1', startsInMs: 0 };
    });
    const asked: unknown[] = [];
    const admit: AdmitDial = (candidate, at) => {
      asked.push(candidateSeen(candidate));
      return verdictOf(what.verdicts[asked.length % what.verdicts.length] ?? 'admit', at);
    };
    const outcome = await store.claim({
      campaignId: campaignOf(what.campaign),
      grants,
      source: what.isManual ? 'manual' : 'auto',
      requestedLimit: what.grants,
      effectiveLimit: what.grants,
      createdBy: null,
      instanceId: 'test',
      campaignUpdatedAt: await side.updatedAt(campaignOf(what.campaign)),
      policyVersion: (await side.rulesVersion()) - (what.isStale ? 1 : 0),
      frequencyDays: 1,
      purposes: ['marketing'],
      readsAbandoned: true,
      validUntil: null,
      admit,
      script: null,
    });
    if (outcome.kind !== 'claimed') return { outcome, asked };
    const made = outcome.dials.map(dial => [dial.requestId, dial.phoneNumber, dial.previousRequestId !== null, dial.callerNumber]);
    const invalid = outcome.invalid.map(({ phoneNumber }) => phoneNumber);
    return { made, invalid, unused: outcome.unusedRequestIds, left: outcome.remainingPending, asked };
  }

  return async (what: Step): Promise<unknown> => {
    switch (what.do) {
      case 'claim':
        return claim(what);
      case 'mark':
        return markedIds(await store.markDialing(what.dials.map(idOf)));
      case 'accept':
        return store.recordProgress(what.dials.map(back => ({ requestId: idOf(back), replyText: '+OK' })));
      case 'answer':
        return store.recordProgress(what.dials.map(back => ({ requestId: idOf(back), answeredAt: Date.now() })));
      case 'acceptAndAnswer':
        return store.recordProgress(what.dials.map(back => ({ requestId: idOf(back), replyText: '+OK', answeredAt: Date.now() })));
      case 'hear':
        return store.recordProgress(what.dials.map(back => ({ requestId: idOf(back), heard: 'runtime-1' })));
      case 'answerAndHear':
        return store.recordProgress(what.dials.map(back => ({ requestId: idOf(back), answeredAt: Date.now(), heard: '' })));
      case 'unhear':
        return store.recordProgress(what.dials.map(back => ({ requestId: idOf(back), heard: false })));
      case 'find':
        return (await store.findAttempts(what.dials.map(idOf))).map(({ requestId: id, status, hasResult, heardRuntime, unheardMs }) => ({
          id,
          status,
          hasResult,
          heardRuntime,
          isUnheard: unheardMs !== null,
        }));
      case 'revert':
        return store.revert(what.dials.map(idOf), { alsoDialing: what.alsoDialing, reason: '撤回' });
      case 'settle':
        return store.settle(what.dials.map(back => settled(idOf(back), settlement(what))));
      case 'record': {
        const { status, ...rest } = settlement(what);
        const requestId = idOf(what.dials[0] ?? 0);
        const outcome = await store.settleUnknown(
          settled(requestId, { ...rest, status: status === 'outcome_unknown' ? 'failed' : status }),
        );
        return outcome !== null;
      }
      case 'result': {
        const { callStatus, intent, optOut } = what;
        const transcript = what.says.map(text => ({ ...SAID, text }));
        const outcome = await store.applyResult(
          report({ requestId: idOf(what.dial), callStatus, intent, optOut, durationSeconds: 7, transcript }),
        );
        if (outcome.kind === 'not_found') return outcome;
        const { status, duplicate, conflicts, outboxId } = outcome;
        return { status, duplicate, conflicts: conflicts.toSorted(), isOwed: outboxId !== null };
      }
      case 'captions':
        // A caption may have the id of a segment in a result.
        return store.keepCaptions(
          idOf(what.dial),
          what.says.map((text, place) => ({ ...SAID, segmentId: String(place), text, at: Date.now() })),
        );
      case 'cancelClaims':
        return (await store.cancelClaims(campaignOf(what.campaign), '活动已暂停')).toSorted((a, b) => (a < b ? -1 : 1));
      case 'cancelBatch': {
        const batch = (await side.batches())[what.batch];
        const outcome = await store.cancelBatch(batch?.campaignId ?? campaignOf(0), batch?.id ?? 0);
        if (typeof outcome === 'string') return outcome;
        return { status: outcome.batch.status, reverted: outcome.cancelledRequestIds.toSorted((a, b) => (a < b ? -1 : 1)) };
      }
      case 'plan': {
        const plan = await store.loadPlan(campaignOf(what.campaign));
        const takers = plan?.takers.map(({ dialKey: key, lastCallerNumber, reachedBy }) => ({ key, lastCallerNumber, reachedBy }));
        return { counts: plan?.counts, status: plan?.campaign.status, hasRetry: plan?.nextRetryAt !== null, takers };
      }
      case 'status':
        return side.setStatus(campaignOf(what.campaign), what.status);
      case 'list':
        return side.list(dialKey(NUMBERS[0]?.[what.number]?.split('/').at(-1) ?? '', 'CN'), what.isListed);
      case 'consent':
        return side.consent(dialKey(NUMBERS.at(-1)?.[what.number]?.split('/')[0] ?? '', 'CN'), what.kind);
      case 'urge':
        return side.urge(dialKey(NUMBERS[0]?.[what.number]?.split('/')[0] ?? '', 'CN'), what.urgency, what.isBounded);
      case 'policies':
        return side.editPolicies();
      case 'open':
        // One claim numbers its attempts in any order.
        return (await store.openAttempts(0, LIMIT))
          .map(({ requestId: id, status }) => ({ id, status }))
          .toSorted((one, other) => (one.id < other.id ? -1 : 1));
      case 'reported':
        // Reports of one instant come in any order.
        return (await store.closedByReport('cell-1', WHOLE_RUN_MS, LIMIT)).map(attempt => attempt.requestId).toSorted();
      case 'numbers':
        return (await store.dialsOfNumbers(CALLERS, WHOLE_RUN_MS))
          .map(({ requestId: id, number, at }) => `${id} ${number} ${at === null ? 'may be dialled' : 'was dialled'}`)
          .toSorted();
      case 'outbox':
        return (await store.takeOutbox(LIMIT, LEASE_MS)).length;
      case 'holds':
        return (await store.endDueHolds(LIMIT)).length;
      default:
        return what satisfies never;
    }
  };
}

function markedIds(marked: readonly MarkedDial[]): string[] {
  return marked.map(({ requestId }) => requestId).toSorted((a, b) => (a < b ? -1 : 1));
}

function settlement({ status, callStatus, replyText, isOurFault, isSilent, isResultMissing }: Extract<Step, { do: 'settle' | 'record' }>) {
  return { status, callStatus, replyText, isOurFault, isSilent, isResultMissing };
}

function candidateSeen(candidate: DialCandidate) {
  const { phoneNumber, attemptCount, lastEndedAt, lastCallerNumber, doNotCall, isInCall, recentDials, notAfter, ...rest } = candidate;
  const recent = Array.from(Map.groupBy(recentDials, dial => dial.campaignId).values(), dials => dials.length);
  const seen = { isInCall, phoneNumber, attemptCount, lastCallerNumber, recent };
  const { consents, lastAbandonedAt = null } = rest;
  return {
    ...seen,
    consents,
    wasAbandoned: lastAbandonedAt !== null,
    hasEnded: lastEndedAt !== null,
    isListed: doNotCall !== null,
    isBounded: notAfter !== null,
  };
}

function verdictOf(verdict: Verdict, at: number): AdmitVerdict {
  if (verdict === 'admit') return { kind: 'admit' };
  // The permission has ended when the next step marks.
  if (verdict === 'admit until now') return { kind: 'admit', validUntil: at + 1 };
  if (verdict === 'fail') return { kind: 'fail', callStatus: 'invalid_number' };
  return { kind: 'hold', reason: 'dnc', until: verdict === 'hold' ? null : at + LEASE_MS };
}

let d: Dialling;

beforeAll(async () => {
  d = await openDialling(4);
});
afterAll(() => d.close());

describe('dial store: PostgreSQL and the simulated one', () => {
  test(
    'respond to every sequence of claims, marks, outcomes and edits alike and leave the same rows [A6, D5.5, D7]',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: LENGTH }),
          small(2),
          fc.constantFrom(0, 3_600),
          fc.boolean(),
          fc.boolean(),
          async (steps, maxRetries, seconds, retryAnsweredWithoutResult, retryUnknown) => {
            const plan: SidePlan = {
              maxRetries,
              retryIntervalSeconds: seconds,
              retryAnsweredWithoutResult,
              retryUnknown,
              contacts: NUMBERS,
            };
            const real = await postgresSide(d.db, d.dials, plan);
            const model = simulatedSide(plan, await real.rulesVersion());
            const [playReal, playModel] = [player(real), player(model)];
            for (const what of steps) {
              const answer = await playReal(what);
              expect({ what, answer: await playModel(what) }).toEqual({ what, answer });
              expect({ what, rows: await model.state() }).toEqual({ what, rows: await real.state() });
              // A retry that is due at once is due in the next millisecond.
              await sleep(systemClock, 2);
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );
});
