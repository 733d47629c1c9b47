import type { ActorCommit, ActorStore, JournalReader, StoredActor } from '#platform/actor-host/actor-store.ts';
import type { OpenAttempt, SettledDial } from '#outcomes/outcome-store.ts';
import type { ProbeAnswer } from '#runtimes/runtime-link.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import type { SwitchPort } from '#platform/freeswitch/switch.ts';
import type { DialTables } from '../support/stores/dial-tables.ts';
import { SLACK_MS } from '../support/stores/slot-pacing.ts';
import type { Waits } from './settings.ts';
import type { AdmitDial, ClaimRequest, DialPlan, DialStore } from '#dialling/dial-store.ts';

/** Guards of A6 and A3, and of the rebuild's memory of strict campaigns, that can be removed from a run, each at its port. */
export const GUARDS = [
  'mark',
  'confirm',
  'grace',
  'rebuild',
  'deadline',
  'index',
  'version',
  'command',
  'watch',
  'sight',
  'offerLimit',
  'firstWord',
  'waited',
  'absence',
  'epoch',
  'listener',
  'clock',
  'person',
  'silence',
  'guess',
  'verdict',
  'zones',
  'count',
  'consent',
  'revoked',
  'pack',
  'rules',
  'promise',
] as const;

export type Guard = (typeof GUARDS)[number];

export interface GuardedPorts {
  tables: DialTables;
  dials: DialStore;
  slots: SlotRegistry;
  callStore: ActorStore & JournalReader;
  campaignStore: ActorStore;
}

/** Decides every contact as if it were in the zone that is open from the start. */
function everywhereOpen({ admit }: ClaimRequest): AdmitDial {
  return (candidate, at) => admit({ ...candidate, zones: 'Asia/Tokyo' }, at);
}

/** Decides a promised callback as any other dial: by the attempts and the interval that are left. */
function promisesNothing({ admit }: ClaimRequest): AdmitDial {
  return (candidate, at) => admit({ ...candidate, callbackAt: null }, at);
}

/** Decides every contact as if it had given every consent. */
function consentsToAll({ admit, purposes = [] }: ClaimRequest): AdmitDial {
  return (candidate, at) => admit({ ...candidate, consents: purposes }, at);
}

/** Plans without the locked policies of rule packs. */
function loosened(dials: DialStore): Pick<DialStore, 'loadPlan' | 'loadPlans'> {
  const loosen = (plan: DialPlan) => ({ ...plan, policies: plan.policies.filter(({ ruleId }) => ruleId === null) });
  return {
    async loadPlan(campaignId) {
      const plan = await dials.loadPlan(campaignId);
      return plan && loosen(plan);
    },
    loadPlans: async campaignIds => (await dials.loadPlans(campaignIds)).map(loosen),
  };
}

/** The stores of a world with one guard removed; null leaves all as they are. */
export function withoutGuard(guard: Guard | null, ports: GuardedPorts): GuardedPorts {
  switch (guard) {
    case 'mark':
      return {
        ...ports,
        dials: { ...ports.dials, markDialing: async requestIds => requestIds.map(requestId => ({ requestId, validForMs: null })) },
      };
    case 'confirm':
      return { ...ports, slots: trusting(ports.slots) };
    case 'rebuild':
      return { ...ports, slots: { ...ports.slots, restore: async () => undefined } };
    case 'watch':
      return { ...ports, slots: forgettingStrict(ports.slots) };
    case 'clock':
      return { ...ports, dials: { ...ports.dials, applyResult: believing(ports) } };
    case 'person':
      ports.tables.keepsOneCallPerNumber = false;
      return ports;
    case 'silence':
      return { ...ports, dials: { ...ports.dials, settle: outcomes => ports.dials.settle(outcomes.map(deaf)) } };
    case 'waited':
      return { ...ports, dials: { ...ports.dials, findAttempts: async ids => (await ports.dials.findAttempts(ids)).map(justAnswered) } };
    case 'zones':
      return { ...ports, dials: { ...ports.dials, claim: request => ports.dials.claim({ ...request, admit: everywhereOpen(request) }) } };
    // After a loss of the cache every number starts from zero.
    case 'count':
      return { ...ports, dials: { ...ports.dials, dialsOfNumbers: async () => [] } };
    case 'consent':
      ports.tables.keepsConsent = false;
      return { ...ports, dials: { ...ports.dials, claim: request => ports.dials.claim({ ...request, admit: consentsToAll(request) }) } };
    // A consent that ends between claim and mark goes unnoticed.
    case 'revoked':
      ports.tables.keepsConsent = false;
      return ports;
    case 'pack':
      return { ...ports, dials: { ...ports.dials, ...loosened(ports.dials) } };
    case 'promise':
      return { ...ports, dials: { ...ports.dials, claim: request => ports.dials.claim({ ...request, admit: promisesNothing(request) }) } };
    case 'guess':
      return { ...ports, dials: { ...ports.dials, settle: retrying(ports, ({ status }) => status === 'outcome_unknown') } };
    case 'verdict':
      return { ...ports, dials: { ...ports.dials, settle: retrying(ports, ({ callStatus }) => callStatus === 'invalid_number') } };
    case 'rules':
      return { ...ports, dials: { ...ports.dials, settle: stubborn(ports) } };
    case 'index':
      ports.tables.keepsOneOpenAttempt = false;
      return ports;
    case 'version':
      return { ...ports, callStore: lastWriteWins(ports.callStore), campaignStore: lastWriteWins(ports.campaignStore) };
    case 'command':
      return { ...ports, callStore: forgetful(ports.callStore), campaignStore: forgetful(ports.campaignStore) };
    // Without the timer a customer waits forever for a runtime to accept the call, or to speak after accepting it.
    case 'offerLimit':
    case 'firstWord':
      return { ...ports, callStore: withoutTimer(ports.callStore, guard === 'offerLimit' ? '.offerLimit.' : 'speechDue') };
    case 'absence':
    case 'epoch':
    case 'listener':
    case 'grace':
    case 'deadline':
    case 'sight':
    case null:
      return ports;
    default:
      return guard satisfies never;
  }
}

/** Ignores whether the far end has responded. */
function deaf(outcome: SettledDial): SettledDial {
  return { ...outcome, isSilent: false };
}

/** Forgets how long a customer has waited: each loss of the live state restarts the wait. */
function justAnswered(attempt: OpenAttempt): OpenAttempt {
  return { ...attempt, unheardMs: attempt.unheardMs === null ? null : 0 };
}

/** Retries calls of these outcomes as if they had not been answered. */
function retrying({ dials, tables }: GuardedPorts, which: (outcome: SettledDial) => boolean): DialStore['settle'] {
  return async outcomes => {
    const settled = await dials.settle(outcomes);
    for (const { requestId } of outcomes.filter(which)) {
      const contact = tables.contacts.get(tables.byRequest.get(requestId)?.contactId ?? 0);
      if (contact?.status !== 'failed') continue;
      contact.retryAt ??= tables.now();
      if (contact.holdReason === 'invalid_number') contact.holdReason = null;
    }
    return settled;
  };
}

/** Dials contacts of ruled campaigns again, whatever the rules say. */
function stubborn({ dials, tables }: GuardedPorts): DialStore['settle'] {
  return async outcomes => {
    const settled = await dials.settle(outcomes);
    for (const { requestId } of outcomes) {
      const contact = tables.contacts.get(tables.byRequest.get(requestId)?.contactId ?? 0);
      if (contact?.status === 'failed' && tables.outcomeRules.has(contact.campaignId)) contact.retryAt ??= tables.now();
    }
    return settled;
  };
}

/** Starts the retry delay at the end reported by the runtime's clock. */
function believing({ dials, tables }: GuardedPorts): DialStore['applyResult'] {
  return async report => {
    const outcome = await dials.applyResult(report);
    const attempt = outcome.kind === 'applied' ? tables.byRequest.get(outcome.requestId) : undefined;
    const contact = attempt && tables.contacts.get(attempt.contactId);
    const interval = (attempt && tables.campaigns.get(attempt.campaignId)?.retryIntervalSeconds) ?? 0;
    if (contact?.status === 'failed' && contact.retryAt !== null && report.endedAt !== null)
      contact.retryAt = report.endedAt + interval * 1_000;
    return outcome;
  };
}

/** The timing of a run without the grace. */
export function waitsWithout(guard: Guard | null, waits: Waits): Waits {
  return guard === 'grace' ? { ...waits, graceMs: 0 } : waits;
}

/** The switch of a run without the send deadline, or without channel states. */
export function switchWithout(guard: Guard | null, port: SwitchPort): SwitchPort {
  if (guard === 'sight') return { ...port, ...answersUnseen(port) };
  if (guard !== 'deadline') return port;
  return { ...port, originate: command => port.originate({ ...command, sendBefore: Infinity }) };
}

/** Reports only whether a channel exists, not whether it is answered. */
function answersUnseen(port: SwitchPort): Pick<SwitchPort, 'probe' | 'channels'> {
  return {
    async probe(cellId, requestId) {
      const channel = await port.probe(cellId, requestId);
      return channel.kind === 'absent' ? channel : { kind: 'ringing' };
    },
    channels: async cellId => (await port.channels(cellId)).map(channel => ({ ...channel, isAnswered: false })),
  };
}

/** Ignores whether the reservation still exists, both at the confirmation and at the permit. */
function trusting(registry: SlotRegistry): SlotRegistry {
  return {
    ...registry,
    async confirm(requestIds, previous) {
      await registry.confirm(requestIds, previous);
      return requestIds.map(requestId => ({ requestId, outcome: 'confirmed', waitMs: 0 }));
    },
    async permit(asks) {
      const answers = await registry.permit(asks);
      return answers.map(answer => (answer.outcome === 'gone' ? { ...answer, outcome: 'booked', waitMs: 0, lateMs: SLACK_MS } : answer));
    },
  };
}

/** Forgets after a loss which calls need a monitor. */
function forgettingStrict(registry: SlotRegistry): SlotRegistry {
  return {
    ...registry,
    restore: (name, entries) =>
      registry.restore(
        name,
        entries.map(entry => ({ ...entry, needsMonitor: false })),
      ),
  };
}

/** Removes the version check: the last write wins. */
function lastWriteWins<Store extends ActorStore>(store: Store): Store {
  return {
    ...store,
    async commit(key: string, { born: _born, ...commit }: ActorCommit) {
      const stored = await store.load(key);
      return store.commit(key, { ...commit, expectedVersion: stored?.version ?? 0 });
    },
  };
}

/** Removes the memory of commands: a repeated command counts as a new one. */
function forgetful<Store extends ActorStore>(store: Store): Store {
  let repeats = 0;
  const anew = (id: string) => `${id}~${++repeats}`;
  const forgotten = (stored: StoredActor) => ({ ...stored, commandIds: [] });
  return {
    ...store,
    async load(key: string) {
      const stored = await store.load(key);
      return stored && forgotten(stored);
    },
    async commit(key: string, commit: ActorCommit) {
      const { earlier = [], commandId } = commit;
      const outcome = await store.commit(key, { ...commit, earlier: earlier.map(anew), commandId: anew(commandId) });
      return outcome.kind === 'conflict' && outcome.now ? { ...outcome, now: forgotten(outcome.now) } : outcome;
    },
  };
}

function withoutTimer<Store extends ActorStore>(store: Store, name: string): Store {
  return {
    ...store,
    commit: (key: string, commit: ActorCommit) =>
      store.commit(key, {
        ...commit,
        timers: Object.fromEntries(Object.entries(commit.timers).filter(([timer]) => !timer.includes(name))),
      }),
  };
}

/** Whether a reply to the probe counts as a runtime; the guard requires a reply, not just a subscriber. */
export function countsAsRuntime(guard: Guard | null, answer: ProbeAnswer): boolean {
  return answer === 'answers' || (guard === 'listener' && answer === 'silent');
}

/** Result of the probe of a runtime with a late heartbeat; without the guard its absence goes unnoticed. */
export function seenAbsent(guard: Guard | null, answer: ProbeAnswer): ProbeAnswer {
  return guard === 'absence' && answer === 'absent' ? 'silent' : answer;
}

/** The report that a server sees; without the guard it lacks the epoch, so its sender cannot be checked. */
export function believed<Report extends { epoch?: number }>(guard: Guard | null, report: Report): Report {
  if (guard !== 'epoch') return report;
  const { epoch: _epoch, ...rest } = report;
  return rest as Report;
}
