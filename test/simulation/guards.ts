import type { ActorCommit, ActorStore, StoredActor } from '#ports/actor-store.ts';
import type { DialStore, SettledDial } from '#ports/dial-store.ts';
import type { ProbeAnswer } from '#ports/runtime-link.ts';
import type { SlotRegistry } from '#ports/slot-registry.ts';
import type { SwitchPort } from '#ports/switch.ts';
import type { DialTables } from '../support/stores/dial-tables.ts';
import { SLACK_MS } from '../support/stores/slot-pacing.ts';
import type { Waits } from './settings.ts';

/** The guards of A6 and A3, and what a rebuild remembers of strict campaigns, that a run can do without, each taken away at its port. */
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
  'absence',
  'epoch',
  'listener',
  'clock',
  'person',
  'silence',
  'guess',
] as const;

export type Guard = (typeof GUARDS)[number];

export interface GuardedPorts {
  tables: DialTables;
  dials: DialStore;
  slots: SlotRegistry;
  callStore: ActorStore;
  campaignStore: ActorStore;
}

/** The stores of a world without one of its guards; null leaves all as they are. */
export function withoutGuard(guard: Guard | null, ports: GuardedPorts): GuardedPorts {
  switch (guard) {
    case 'mark':
      return { ...ports, dials: { ...ports.dials, markDialing: async requestIds => [...requestIds] } };
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
    case 'guess':
      return { ...ports, dials: { ...ports.dials, settle: guessing(ports) } };
    case 'index':
      ports.tables.keepsOneOpenAttempt = false;
      return ports;
    case 'version':
      return { ...ports, callStore: lastWriteWins(ports.callStore), campaignStore: lastWriteWins(ports.campaignStore) };
    case 'command':
      return { ...ports, callStore: forgetful(ports.callStore), campaignStore: forgetful(ports.campaignStore) };
    // A customer waits for whoever may come, or for whoever has taken the call, without end.
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

/** Nobody looks whether the far end has said anything. */
function deaf(outcome: SettledDial): SettledDial {
  return { ...outcome, isSilent: false };
}

/** A call of which nobody knows how it ended is taken for one that reached nobody. */
function guessing({ dials, tables }: GuardedPorts): DialStore['settle'] {
  return async outcomes => {
    const settled = await dials.settle(outcomes);
    for (const { requestId, status } of outcomes) {
      const contact = tables.contacts.get(tables.byRequest.get(requestId)?.contactId ?? 0);
      if (status === 'outcome_unknown' && contact?.status === 'failed') contact.retryAt ??= tables.now();
    }
    return settled;
  };
}

/** The retry counts from the end that the runtime's clock says. */
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

/** The waits of a run without the grace. */
export function waitsWithout(guard: Guard | null, waits: Waits): Waits {
  return guard === 'grace' ? { ...waits, graceMs: 0 } : waits;
}

/** The switch of a run without the send deadline, or without the state of channels. */
export function switchWithout(guard: Guard | null, port: SwitchPort): SwitchPort {
  if (guard === 'sight') return { ...port, ...answersUnseen(port) };
  if (guard !== 'deadline') return port;
  return { ...port, originate: command => port.originate({ ...command, sendBefore: Infinity }) };
}

/** Whether a channel stands is all that the switch is asked. */
function answersUnseen(port: SwitchPort): Pick<SwitchPort, 'probe' | 'channels'> {
  return {
    async probe(cellId, requestId) {
      const channel = await port.probe(cellId, requestId);
      return channel.kind === 'absent' ? channel : { kind: 'ringing' };
    },
    channels: async cellId => (await port.channels(cellId)).map(channel => ({ ...channel, isAnswered: false })),
  };
}

/** Nobody asks whether the reservation still stands: neither the confirmation nor, once more, the permit. */
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

/** After a loss nobody knows which calls take monitors' room. */
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

/** No fence: whoever writes last wins. */
function lastWriteWins(store: ActorStore): ActorStore {
  return {
    ...store,
    async commit(key, { born: _born, ...commit }) {
      const stored = await store.load(key);
      return store.commit(key, { ...commit, expectedVersion: stored?.version ?? 0 });
    },
  };
}

/** No memory of commands: a repeated one is a new one. */
function forgetful(store: ActorStore): ActorStore {
  let repeats = 0;
  const anew = (id: string) => `${id}~${++repeats}`;
  const forgotten = (stored: StoredActor) => ({ ...stored, commandIds: [] });
  return {
    ...store,
    async load(key) {
      const stored = await store.load(key);
      return stored && forgotten(stored);
    },
    async commit(key, commit: ActorCommit) {
      const { earlier = [], commandId } = commit;
      const outcome = await store.commit(key, { ...commit, earlier: earlier.map(anew), commandId: anew(commandId) });
      return outcome.kind === 'conflict' && outcome.now ? { ...outcome, now: forgotten(outcome.now) } : outcome;
    },
  };
}

function withoutTimer(store: ActorStore, name: string): ActorStore {
  return {
    ...store,
    commit: (key, commit) =>
      store.commit(key, {
        ...commit,
        timers: Object.fromEntries(Object.entries(commit.timers).filter(([timer]) => !timer.includes(name))),
      }),
  };
}

/** Whether somebody who hears the probe counts as a runtime; the guard is that it must answer. */
export function countsAsRuntime(guard: Guard | null, answer: ProbeAnswer): boolean {
  return answer === 'answers' || (guard === 'listener' && answer === 'silent');
}

/** Without the guard nobody looks whether a runtime whose beat is late is still there. */
export function seenAbsent(guard: Guard | null, answer: ProbeAnswer): ProbeAnswer {
  return guard === 'absence' && answer === 'absent' ? 'silent' : answer;
}

/** Without the guard nobody asks by which hand-over a result is its sender's. */
export function believed<Report extends { epoch?: number }>(guard: Guard | null, report: Report): Report {
  if (guard !== 'epoch') return report;
  const { epoch: _epoch, ...rest } = report;
  return rest as Report;
}
