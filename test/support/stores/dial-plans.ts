import { ANSWERED_BY_PERSON } from '#attempts/decisions/evidence.ts';
import type { AbandonmentCount } from '#policies/decisions/person-kinds.ts';
import type { ContactStore } from '#contacts/contact.ts';
import type { SkipReason } from '#campaigns/decisions/skip-reason.ts';
import type { ContactRow, DialTables } from './dial-tables.ts';
import type { DialPlan, DialStore, DialTaker } from '#dialling/dial-store.ts';
import { preparePolicies } from '#policies/decisions/prepare-policies.ts';

const MS_PER_HOUR = 3_600_000;

type PlanMethods = Pick<DialStore, 'dueCampaigns' | 'loadPlan' | 'loadPlans'>;

/** Mirrors dialling/dial-plan.ts. */
export function simulatedPlans(tables: DialTables): PlanMethods {
  return {
    async dueCampaigns(limit, { all }) {
      const now = tables.now();
      const due = [...tables.campaigns.values()].filter(
        ({ status, nextWakeAt }) => status === 'running' && (all || nextWakeAt === null || nextWakeAt <= now),
      );
      due.sort((a, b) => (a.nextWakeAt ?? Infinity) - (b.nextWakeAt ?? Infinity) || a.id - b.id);
      return due.slice(0, limit).map(campaign => campaign.id);
    },
    loadPlan: async campaignId => loadPlan(tables, campaignId),
    loadPlans: async campaignIds => campaignIds.flatMap(campaignId => loadPlan(tables, campaignId) ?? []),
  };
}

function loadPlan(tables: DialTables, campaignId: number): DialPlan | null {
  const row = tables.campaigns.get(campaignId);
  if (!row) return null;
  const at = tables.now();
  const { actorVersion, actorCommands: _commands, phaseCause, phaseRefusal, breaker, scriptless: _scriptless, ...campaign } = row;
  const contacts = contactsOf(tables, campaignId);
  const retryable = contacts.filter(isRetryable);
  const later = retryable.map(({ retryAt }) => retryAt ?? 0).filter(retryAt => retryAt > at);
  return {
    at,
    campaign,
    phaseCause,
    phaseRefusal,
    actorVersion,
    breaker,
    lines: row.lineIds.flatMap(lineId => tables.lines.get(lineId) ?? []),
    policies: [...tables.policies.values()].filter(
      policy => policy.isEnabled && (policy.scope === 'global' || policy.campaignId === campaignId),
    ),
    contactZones: [...new Set(contacts.map(({ zones }) => zones ?? ''))],
    policyVersion: tables.rulesVersion,
    outcomeRules: tables.outcomeRules.get(campaignId) ?? null,
    abandonment: abandonmentOf(tables, campaignId, at),
    script: null,
    // Runtimes of the simulation do not read scripts.
    runtimeBringsFlow: true,
    scriptless: row.scriptless ?? null,
    counts: {
      pending: contacts.filter(({ status, holdReason }) => status === 'pending' && holdReason === null).length,
      held: contacts.filter(isHeldForATime).length,
      retryable: retryable.length,
      dueRetries: retryable.length - later.length,
      active: [...tables.open].filter(attempt => attempt.campaignId === campaignId).length,
      promised:
        campaign.scheduledEndAt !== null && campaign.scheduledEndAt <= at ? contacts.filter(({ id }) => tables.promises.has(id)).length : 0,
    },
    takers: candidates(tables, campaignId, at).map(contact => takerOf(tables, campaignId, contact)),
    nextRetryAt: later.length === 0 ? null : Math.min(...later),
    nextHold: nextHoldOf(contacts),
  };
}

function takerOf(tables: DialTables, campaignId: number, { id, dialKey, lastCallerNumber }: ContactRow): DialTaker {
  const lineIds = tables.campaigns.get(campaignId)?.lineIds ?? [];
  const keeps = lineIds.some(lineId => tables.lines.get(lineId)?.numberRules.keepsNumber === true);
  const reached = tables.attempts.filter(
    attempt => attempt.dialKey === dialKey && attempt.dialingAt !== null && attempt.answeredAt !== null,
  );
  const last = reached.toSorted((a, b) => (b.dialingAt ?? 0) - (a.dialingAt ?? 0))[0];
  return { contactId: id, dialKey, lastCallerNumber, reachedBy: keeps ? (last?.callerNumber ?? null) : null };
}

/** Mirrors dialling/number-dials.ts. */
export function simulatedDialsOfNumbers(tables: DialTables): DialStore['dialsOfNumbers'] {
  return async (numbers, withinMs) => {
    const since = tables.now() - withinMs;
    return tables.attempts.flatMap(({ requestId, callerNumber, dialingAt, status }) => {
      const isCounted = status === 'claimed' || (dialingAt !== null && dialingAt > since);
      return callerNumber !== null && numbers.includes(callerNumber) && isCounted
        ? [{ requestId, number: callerNumber, at: dialingAt }]
        : [];
    });
  };
}

/** Calls of the campaign by the limits on abandoned ones. */
function abandonmentOf(tables: DialTables, campaignId: number, at: number): AbandonmentCount[] {
  return preparePolicies([...tables.policies.values()], campaignId, 'CN').entries.flatMap(({ policy, effect }) => {
    if (effect?.kind !== 'abandonment') return [];
    const since = at - effect.limit.hours * MS_PER_HOUR;
    const answered = tables.attempts.filter(
      ({ campaignId: of, outcome, endedAt }) =>
        of === campaignId && endedAt !== null && endedAt > since && outcome !== null && ANSWERED_BY_PERSON.includes(outcome),
    );
    const abandoned = answered.filter(({ outcome }) => outcome === 'abandoned').map(({ endedAt }) => endedAt ?? 0);
    return [{ policyId: policy.id, answered: answered.length, abandonedAt: abandoned.toSorted((a, b) => a - b) }];
  });
}

/** Candidates in dialling order: due callbacks first, then urgent dials and their retries, then due retries, then higher priority, then lower id (D5.5, D7.15). */
export function candidates(tables: DialTables, campaignId: number, at: number): ContactRow[] {
  const free = contactsOf(tables, campaignId).filter(contact => contact.holdReason === null);
  const due = free.filter(({ status, retryAt }) => status === 'failed' && retryAt !== null && retryAt <= at);
  const retries = due.filter(({ urgency }) => urgency === 0);
  const promised = free.filter(({ status, callbackAt }) => status === 'pending' && callbackAt !== null);
  const unpromised = free.filter(({ status, callbackAt }) => status === 'pending' && callbackAt === null);
  const urgent = [...unpromised, ...due].filter(({ urgency }) => urgency > 0);
  const pending = unpromised.filter(({ urgency }) => urgency === 0);
  promised.sort((a, b) => (a.callbackAt ?? 0) - (b.callbackAt ?? 0) || a.id - b.id);
  retries.sort((a, b) => (a.retryAt ?? 0) - (b.retryAt ?? 0) || a.id - b.id);
  urgent.sort((a, b) => b.urgency - a.urgency || a.id - b.id);
  pending.sort((a, b) => b.priority - a.priority || a.id - b.id);
  return [...promised, ...urgent, ...retries, ...pending];
}

function nextHoldOf(contacts: readonly ContactRow[]): DialPlan['nextHold'] {
  const [first] = contacts.filter(isHeldForATime).toSorted((a, b) => (a.holdUntil ?? 0) - (b.holdUntil ?? 0));
  return first ? { reason: first.holdReason as SkipReason, until: first.holdUntil ?? 0 } : null;
}

export function contactsOf(tables: DialTables, campaignId: number): ContactRow[] {
  return [...tables.contacts.values()].filter(contact => contact.campaignId === campaignId);
}

/** The one method of the contact store that a manual dispatch uses: counts pending contacts, held or not. */
export function simulatedPendingCount(tables: DialTables): Pick<ContactStore, 'count'> {
  const pending = (campaignId: number) => contactsOf(tables, campaignId).filter(({ status }) => status === 'pending').length;
  return { count: async campaignIds => campaignIds.map(pending) };
}

export function countPending(tables: DialTables, campaignId: number): number {
  return contactsOf(tables, campaignId).filter(({ status, holdReason }) => status === 'pending' && holdReason === null).length;
}

function isRetryable({ status, retryAt, holdReason }: ContactRow): boolean {
  return status === 'failed' && retryAt !== null && holdReason === null;
}

function isHeldForATime({ status, retryAt, holdReason, holdUntil }: ContactRow): boolean {
  return holdReason !== null && holdUntil !== null && (status === 'pending' || (status === 'failed' && retryAt !== null));
}

/** Whether the campaign has nothing left to dial and no call in progress (campaign-actor-store.ts). */
export function isDrained(tables: DialTables, campaignId: number): boolean {
  const isActive = [...tables.open].some(attempt => attempt.campaignId === campaignId);
  return (
    !isActive && !contactsOf(tables, campaignId).some(contact => isPending(contact) || isRetryable(contact) || isHeldForATime(contact))
  );
}

function isPending({ status, holdReason }: ContactRow): boolean {
  return status === 'pending' && holdReason === null;
}
