import type { ResultReport } from '#outcomes/outcome-store.ts';
import { contradictsAnswer } from '#protocol/call-status.ts';
import { resultStatus } from '#outcomes/decisions/result-report.ts';
import { MAX_SILENT_REPEATS } from '#outcomes/decisions/contact-outcome.ts';
import type { AttemptRow, ContactRow, DialTables } from '../support/stores/dial-tables.ts';
import type { SimulatedActorStore } from '../support/stores/simulated-actor-store.ts';
import type { SimulatedMonitorRegistry } from '../support/stores/simulated-monitor-registry.ts';
import type { SimulatedSlotRegistry } from '../support/stores/simulated-slot-registry.ts';
import type { Cell } from './cell.ts';
import { Violation } from './violation.ts';

export interface Rest {
  tables: DialTables;
  registry: SimulatedSlotRegistry;
  monitors: SimulatedMonitorRegistry;
  callStore: SimulatedActorStore;
  cells: readonly Cell[];
  /** Number of result reports in transit. */
  reportsUnderWay: () => number;
  /** The run ends by then, UTC ms. */
  deadline: number;
}

/** Unfinished work; empty when the world has come to rest (I5 and liveness). */
export function restless({ tables, registry, monitors, callStore, cells, reportsUnderWay, deadline }: Rest): string[] {
  const problems: string[] = [];
  const open = [...tables.open].map(({ requestId, status }) => `${requestId} ${status}`);
  if (open.length > 0) problems.push(`open attempts: ${open.join(', ')}`);
  const channels = cells.flatMap(cell => [...cell.channels.keys()]);
  if (channels.length > 0) problems.push(`channels: ${channels.join(', ')}`);
  if (reportsUnderWay() > 0) problems.push(`${reportsUnderWay()} results under way`);
  if (!registry.isOpen) problems.push('the slot registry is COLD');
  if (registry.size > 0) problems.push(`slots held: ${registry.size}`);
  if (monitors.size > 0) problems.push(`calls in the monitor registry: ${monitors.size}`);
  const isForTomorrow = (contact: ContactRow) => refusedUntil(tables, contact) > deadline;
  const waiting = [...tables.contacts.values()]
    .filter(contact => isWaiting(contact) && !isForTomorrow(contact))
    .map(({ id, status }) => `${id} ${status}`);
  if (waiting.length > 0) problems.push(`contacts: ${waiting.join(', ')}`);
  const promised = [...tables.promises.keys()].filter(id => tables.contacts.get(id)?.status !== 'paused');
  if (promised.length > 0) problems.push(`callbacks of contacts: ${promised.join(', ')}`);
  if (tables.outbox.size > 0) problems.push(`outbox: ${tables.outbox.size}`);
  if (callStore.keys().length > 0) problems.push(`calls not forgotten: ${callStore.keys().join(', ')}`);
  const tomorrow = new Set([...tables.contacts.values()].filter(isForTomorrow).map(({ campaignId }) => campaignId));
  for (const { id, status } of tables.campaigns.values())
    if (status === 'running' && !tomorrow.has(id)) problems.push(`campaign ${id} still runs`);
  return problems;
}

/** When a contact that refused its last call may be called again, UTC ms; 0 for others. One that a user resumed keeps its wait as a hold. */
function refusedUntil({ attempts }: DialTables, { lastAttemptId, retryAt, status, holdReason, holdUntil }: ContactRow): number {
  if (status === 'pending' && holdReason === 'retry_wait') return holdUntil ?? 0;
  const last = lastAttemptId === null ? undefined : attempts[lastAttemptId - 1];
  return status === 'failed' && last?.callStatus === 'rejected' ? (retryAt ?? 0) : 0;
}

function isWaiting({ status, retryAt, holdReason, holdUntil }: ContactRow): boolean {
  if (status === 'submitted') return true;
  const mayBeDialled = status === 'pending' || (status === 'failed' && retryAt !== null);
  return mayBeDialled && (holdReason === null || holdUntil !== null);
}

export interface Truth {
  tables: DialTables;
  /** The first report of each call that a server has stored. */
  firstReports: ReadonlyMap<string, ResultReport>;
  rang: ReadonlySet<string>;
}

/** Greatest tolerated difference between two clocks, ms (D7.7). */
const TOLERANCE_MS = 2_500;

/**
 * I6: whatever the clocks of runtimes say, a call starts, is answered and ends in this order, and its duration fits the time it existed.
 */
export function checkTimes({ attempts }: Pick<DialTables, 'attempts'>, now: number): void {
  for (const { requestId, startedAt, answeredAt, endedAt, durationSeconds } of attempts) {
    if (startedAt === null) continue;
    const times = `${startedAt} ${answeredAt} ${endedAt} ${durationSeconds} s, now ${now}`;
    const isOrdered = startedAt <= (answeredAt ?? startedAt) && (answeredAt ?? startedAt) <= (endedAt ?? Infinity);
    if (!isOrdered || (endedAt ?? 0) > now) throw new Violation('I6 times out of order', `${requestId}: ${times}`);
    if ((durationSeconds ?? 0) * 1_000 > now - (answeredAt ?? startedAt) + TOLERANCE_MS)
      throw new Violation('I6 talk that nobody had', `${requestId}: ${times}`);
  }
}

/** I6: each result is stored as first reported, and a dial that rang was never taken back. */
export function checkOutcomes({ tables, firstReports, rang }: Truth): void {
  for (const [requestId, report] of firstReports) {
    const attempt = tables.byRequest.get(requestId);
    // A report that contradicts a known answer is rejected, but the report itself may have been the first to mention the answer.
    const mayContradict = attempt !== undefined && attempt.answeredAt !== null && contradictsAnswer(report.callStatus);
    const callStatus = mayContradict && attempt.callStatus === 'completed' ? 'completed' : report.callStatus;
    const status = resultStatus(callStatus);
    if (attempt?.status !== status || attempt.callStatus !== callStatus)
      throw new Violation('I6 result lost', `${requestId}: ${attempt?.status} ${attempt?.callStatus}, reported ${report.callStatus}`);
    const said = report.transcript.map(segment => segment.text).join();
    if (attempt.transcript.join() !== said) throw new Violation('I6 transcript changed', requestId);
    const contact = tables.contacts.get(attempt.contactId);
    // Rules may give up a contact who answered, or be done with one who did not.
    const isRuled = tables.outcomeRules.has(attempt.campaignId);
    if (contact?.lastAttemptId === attempt.id && !isRuled && !['pending', 'paused', status].includes(contact.status))
      throw new Violation('I6 contact against its result', `contact ${contact.id}: ${contact.status}, result ${status}`);
  }
  for (const requestId of rang)
    if (tables.byRequest.get(requestId)?.status === 'cancelled') throw new Violation('I2 a dial that rang was taken back', requestId);
}

/** I6: a dial without any response costs no attempt, except after several in a row while the line reaches others (D7.1). */
export function checkSilent({ attempts }: Pick<DialTables, 'attempts'>, silent: ReadonlySet<string>): void {
  const isCharged = ({ requestId, status, hangupCause, isLineFault }: AttemptRow) =>
    silent.has(requestId) && status === 'failed' && hangupCause !== null && !isLineFault;
  for (const charged of attempts.filter(isCharged)) {
    const free = attempts.filter(({ contactId, id, isLineFault }) => contactId === charged.contactId && id < charged.id && isLineFault);
    if (free.length < MAX_SILENT_REPEATS)
      throw new Violation(
        'I6 charged for a dead line',
        `contact ${charged.contactId}: ${charged.requestId} after ${free.length} free ones`,
      );
  }
}
