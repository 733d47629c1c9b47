import type { ChaosRig } from './chaos-rig.ts';
import {
  afterFaults,
  bindingMs,
  dialledTwice,
  type EditedDial,
  exceededLimits,
  type FaultSpan,
  rateWithin,
  recoveryMs,
  seenChannel,
  type SeenChannel,
  type Span,
} from './checks.ts';
import type { Edit, Editing } from './edits.ts';
import type { CallLedger } from './call-runtime.ts';
import { exportFaults, importFaults, type JobEvidence, longestUnownedMs, UNOWNED_LIMIT_MS } from './job-checks.ts';
import type { Load } from './load.ts';
import { type WebhookCounts, webhookCounts, type WebhookEvidence, webhookFaults } from './webhook-checks.ts';
import type { Remains, StoredAttempt } from './settle.ts';

/** Outcome of a run. */
export interface Verdict {
  /** Broken promises, one line each; empty when the run is clean. */
  violations: string[];
  recoveries: Recovery[];
  /** Slowest effect of each kind of edit. */
  binding: Record<Edit['kind'], Binding>;
  /** Dialling rate around the edits. */
  editRate: EditRate;
  counts: Record<string, number>;
  silence: Silence;
  jobs: JobCounts;
  webhooks: WebhookCounts;
}

/** Jobs of a run. Units: `unownedMs` ms */
export interface JobCounts {
  imports: number;
  importedRows: number;
  exports: number;
  exportedRows: number;
  /** The longest time that an open job had no owner without a fault meanwhile. */
  unownedMs: number;
}

/**
 * The longest silence that an answered customer heard, ms.
 *
 * Units: `calmMs` without a fault meanwhile; `afterFaultMs` from the end of the last overlapping fault
 */
export interface Silence {
  answered: number;
  calmMs: number;
  afterFaultMs: number;
  /** From the death of a runtime until another one has its calls or they are over. */
  afterDeathMs: number;
}

/** Dials per second in the two seconds around the response to an edit, which the edit had to affect. */
export interface EditRate {
  median: number;
  best: number;
}

export interface Recovery {
  what: string;
  /** From the end of the fault until every campaign has dialled again, ms; null if that did not happen before the end of the run. */
  ms: number | null;
}

/** Units: ms from the response to the edit; calm: no fault within 3 s */
export interface Binding {
  edits: number;
  calmEdits: number;
  /** Until the last decision to dial that violates the edit. */
  decidedMaxMs: number;
  /** Until the last channel at the switch that violates the edit, for edits in calm. */
  calmMaxMs: number;
  maxMs: number;
}

export interface Evidence extends Editing {
  rig: Pick<ChaosRig, 'cells' | 'servers' | 'runtime' | 'receiver'>;
  load: Load;
  faults: readonly FaultSpan[];
  remains: Remains;
  jobs: JobEvidence;
  webhooks: WebhookEvidence;
  attempts: readonly StoredAttempt[];
  /** Number of contacts that lost attempts without being at fault. */
  burned: number;
  /** From the first dial to the end of the load. */
  span: Span;
  /** When channels at the switch must have stopped after a calm edit, ms after its response. */
  channelLimitMs: number;
}

/** Latest decision to dial that may still violate an edit, with or without faults, ms after the response (D8.6). */
export const BINDING_LIMIT_MS = 1_000;
/** Dialling rate at which D8.6 must hold, dials per second; a run on a smaller machine may not reach it. */
export const PROMISED_RATE = 200;
const AROUND_EDIT_MS = 1_000;
/** Most examples shown for each kind of violation. */
const EXAMPLES = 5;
const EDIT_CALM_MS = 3_000;

export function judge(evidence: Evidence): Verdict {
  const channels = channelsOf(evidence.rig);
  const binding = bindingOf(evidence, channels);
  const silence = silenceOf(evidence, channels);
  const jobs = jobCountsOf(evidence);
  return {
    violations: [
      ...switchViolations(evidence, channels),
      ...resultViolations(evidence),
      ...restViolations(evidence),
      ...lateDials(binding, evidence.channelLimitMs),
      ...leftInSilence(silence),
      ...jobViolations(evidence, jobs),
      ...webhookViolations(evidence),
      ...(evidence.burned > 0 ? [`${evidence.burned} contacts lost attempts for a runtime's fault`] : []),
    ],
    silence,
    recoveries: recoveriesOf(evidence, channels),
    binding,
    editRate: editRateOf(evidence, channels),
    counts: countsOf(evidence, channels),
    jobs,
    webhooks: webhookCounts(evidence.webhooks),
  };
}

export function channelsOf({ cells }: Pick<ChaosRig, 'cells'>): SeenChannel[] {
  return cells.flatMap(({ id, seen }) => [...seen.channels.values()].map(channel => seenChannel(id, channel)));
}

function switchViolations({ rig, load, attempts }: Evidence, channels: readonly SeenChannel[]): string[] {
  const campaignLimits = Object.fromEntries(load.campaigns.map(({ id, maxConcurrency }) => [String(id), maxConcurrency]));
  const known = new Set(attempts.map(attempt => attempt.requestId));
  return [
    ...firstFew('dialled twice', dialledTwice(channels)),
    ...exceededLimits(channels, 'campaign', campaignLimits),
    ...exceededLimits(channels, 'caller', load.lineLimits),
    ...exceededLimits(channels, 'cell', load.cellLimits),
    ...firstFew(
      'originate sent again',
      rig.cells.flatMap(cell => cell.seen.repeated),
    ),
    ...(channels.length === 0 ? ['nothing was dialled'] : []),
    ...firstFew(
      'channel without an attempt',
      channels.filter(channel => !known.has(channel.uuid)).map(channel => channel.uuid),
    ),
    ...rig.cells.filter(({ seen }) => seen.channels.size !== seen.totals.channels).map(({ id }) => `the record of ${id} has gaps`),
  ];
}

/** I6: a result that the runtime got confirmed is in PostgreSQL with its content. */
function resultViolations({ rig, attempts }: Evidence): string[] {
  const stored = new Map(attempts.map(attempt => [attempt.requestId, attempt]));
  const lost = [...rig.runtime.acknowledged]
    .filter(requestId => stored.get(requestId)?.mark !== requestId)
    .map(requestId => describeAttempt(requestId, stored.get(requestId)));
  return firstFew('result lost', lost);
}

function describeAttempt(requestId: string, attempt: StoredAttempt | undefined): string {
  return attempt ? `${requestId} (${attempt.status}${attempt.hasResult ? ', with a result' : ''})` : `${requestId} (no attempt)`;
}

function restViolations({ rig, remains }: Evidence): string[] {
  const left = Object.entries(remains).filter(([, count]) => count !== 0);
  return [
    ...left.map(([what, count]) => `not at rest: ${count} ${what}`),
    ...[...rig.servers, ...rig.cells, rig.receiver].flatMap(({ name, unexpectedEnds }) =>
      unexpectedEnds.map(how => `${name} ended by itself: ${how}`),
    ),
  ];
}

function jobCountsOf({ jobs: { imports, exports, unowned }, faults }: Evidence): JobCounts {
  const sum = (rows: readonly number[]) => rows.reduce((all, each) => all + each, 0);
  return {
    imports: imports.length,
    importedRows: sum(imports.map(({ found }) => found.rows)),
    exports: exports.length,
    exportedRows: sum(exports.map(({ found }) => found.rows)),
    unownedMs: longestUnownedMs(unowned, faults),
  };
}

/** Source: D2.10, D2.11, D6.9 */
function jobViolations({ jobs: { imports, exports, missed, refusals } }: Evidence, { unownedMs }: JobCounts): string[] {
  return [
    ...(imports.length === 0 ? [`nothing was imported: ${refusals.at(-1) ?? 'no time'}`] : []),
    ...(exports.length === 0 ? [`nothing was exported: ${refusals.at(-1) ?? 'no time'}`] : []),
    ...firstFew('confirmed export that is not there', missed.map(String)),
    ...imports.flatMap(importFaults),
    ...exports.flatMap(exportFaults),
    ...(unownedMs > UNOWNED_LIMIT_MS ? [`an open job had no owner for ${unownedMs} ms after its lease`] : []),
  ];
}

/** Source: D15.3, D15.4 */
function webhookViolations({ webhooks }: Evidence): string[] {
  const { lostCalls, lostJobs, disordered, badlySigned } = webhookFaults(webhooks);
  return [
    ...(webhooks.taken.length === 0 ? ['no message reached the receiver'] : []),
    ...firstFew('ended call of which no message came', lostCalls),
    ...firstFew('ended job of which no message came', lostJobs),
    ...firstFew('messages out of their order, or with a gap', disordered),
    ...firstFew('message with a wrong signature', badlySigned),
  ];
}

function lateDials(binding: Verdict['binding'], channelLimitMs: number): string[] {
  return Object.entries(binding).flatMap(([kind, { edits, decidedMaxMs, calmMaxMs }]) => [
    ...(edits === 0 ? [`no ${kind} edit was answered: nothing is shown of it`] : []),
    ...(decidedMaxMs > BINDING_LIMIT_MS ? [`a dial was decided ${decidedMaxMs} ms after the answer to a ${kind} edit [D8.6]`] : []),
    ...(calmMaxMs > channelLimitMs ? [`a ${kind} edit let a channel through ${calmMaxMs} ms after its answer [D8.6]`] : []),
  ]);
}

/** I9 allows 5 s, plus the time in which a lost connection is restored. */
const SILENCE_LIMIT_MS = 5_000;
const RECONNECT_MS = 3_000;
/** A dead runtime is detected after 15 s, plus a margin for other faults. */
const DEATH_LIMIT_MS = 20_000 + RECONNECT_MS;

function silenceOf({ rig, faults, span }: Evidence, channels: readonly SeenChannel[]): Silence {
  const answered = channels.flatMap(({ uuid, answeredAt, endedAt }) =>
    answeredAt === null
      ? []
      : [{ startedAt: answeredAt, endedAt: Math.min(rig.runtime.takes.get(uuid)?.[0] ?? Infinity, endedAt ?? span.endedAt) }],
  );
  const longest = (some: readonly Span[]) => Math.max(0, ...some.map(({ startedAt, endedAt }) => endedAt - startedAt));
  const rests = answered.map(silence => ({ silence, rest: afterFaults(silence, faults) }));
  return {
    answered: answered.length,
    afterDeathMs: longest(abandoned(rig.runtime, channels, span)),
    calmMs: longest(rests.filter(({ silence, rest }) => rest === silence).map(({ rest }) => rest)),
    afterFaultMs: longest(rests.filter(({ silence, rest }) => rest !== silence).map(({ rest }) => rest)),
  };
}

/** Silences of calls whose runtime died, until another runtime accepts them or they end. */
function abandoned({ takes, losses }: CallLedger, channels: readonly SeenChannel[], span: Span): Span[] {
  return channels.flatMap(({ uuid, endedAt }) =>
    (losses.get(uuid) ?? []).map(lostAt => {
      const taken = takes.get(uuid)?.find(at => at > lostAt) ?? Infinity;
      return { startedAt: lostAt, endedAt: Math.max(lostAt, Math.min(taken, endedAt ?? span.endedAt)) };
    }),
  );
}

function leftInSilence({ calmMs, afterFaultMs, afterDeathMs }: Silence): string[] {
  return [
    ...(calmMs > SILENCE_LIMIT_MS ? [`an answered customer heard nobody for ${calmMs} ms [I9]`] : []),
    ...(afterFaultMs > SILENCE_LIMIT_MS + RECONNECT_MS
      ? [`an answered customer heard nobody for ${afterFaultMs} ms after a fault [I9]`]
      : []),
    ...(afterDeathMs > DEATH_LIMIT_MS ? [`a customer whose runtime died heard nobody for ${afterDeathMs} ms [I9]`] : []),
  ];
}

function bindingOf({ edits, faults, attempts }: Evidence, channels: readonly SeenChannel[]): Verdict['binding'] {
  const decided = attempts.flatMap(({ campaignId, phoneNumber, dialingAt }) =>
    dialingAt === null ? [] : [{ campaign: String(campaignId), number: phoneNumber, at: dialingAt }],
  );
  const begun = channels.map(({ campaign, number, startedAt }) => ({ campaign, number, at: startedAt }));
  const isCalm = ({ answeredAt }: Edit) =>
    faults.every(({ startedAt, endedAt }) => answeredAt + EDIT_CALM_MS < startedAt || answeredAt - EDIT_CALM_MS > endedAt);
  const of = (kind: Edit['kind']): Binding => {
    const own = edits.filter(edit => edit.kind === kind);
    const calm = own.filter(isCalm);
    const slowest = (some: readonly Edit[], dials: readonly EditedDial[]) => Math.max(0, ...some.map(edit => bindingMs(edit, dials)));
    return {
      edits: own.length,
      calmEdits: calm.length,
      decidedMaxMs: slowest(own, decided),
      calmMaxMs: slowest(calm, begun),
      maxMs: slowest(own, begun),
    };
  };
  return { do_not_call: of('do_not_call'), policy: of('policy'), pause: of('pause') };
}

/** Recovery times of the campaigns that are not edited; the edited one may be paused. */
export function recoveriesOf(
  { faults, load, span }: Pick<Evidence, 'faults' | 'load' | 'span'>,
  channels: readonly SeenChannel[],
): Recovery[] {
  const starts = new Map(
    load.campaigns.filter(campaign => !campaign.isEdited).map(({ id }) => [String(id), startsOf(channels, String(id))] as const),
  );
  return faults.map(fault => ({ what: fault.what, ms: recoveryMs(fault, starts, span.endedAt) }));
}

function editRateOf({ edits }: Evidence, channels: readonly SeenChannel[]): EditRate {
  const instants = channels.map(channel => channel.startedAt);
  const rates = edits
    .map(({ answeredAt }) => rateWithin(instants, { startedAt: answeredAt - AROUND_EDIT_MS, endedAt: answeredAt + AROUND_EDIT_MS }))
    .sort((a, b) => a - b);
  return { median: rates[Math.floor(rates.length / 2)] ?? 0, best: rates.at(-1) ?? 0 };
}

function startsOf(channels: readonly SeenChannel[], campaign: string): number[] {
  return channels
    .filter(channel => channel.campaign === campaign)
    .map(channel => channel.startedAt)
    .sort((a, b) => a - b);
}

function countsOf({ rig, attempts, edits, refused, faults, span }: Evidence, channels: readonly SeenChannel[]): Record<string, number> {
  const instants = channels.map(channel => channel.startedAt);
  const calm = { startedAt: span.startedAt, endedAt: faults[0]?.startedAt ?? span.endedAt };
  const withStatus = (status: string) => attempts.filter(attempt => attempt.status === status).length;
  return {
    channels: channels.length,
    attempts: attempts.length,
    withdrawn: withStatus('cancelled'),
    outcomeUnknown: withStatus('outcome_unknown'),
    results: rig.runtime.acknowledged.size,
    edits: edits.length,
    editsRefused: refused,
    faults: faults.length,
    errorLines: rig.servers.reduce((sum, server) => sum + server.errors().length, 0),
    dialsPerSecondBefore: Math.round(rateWithin(instants, calm)),
    dialsPerSecond: Math.round(rateWithin(instants, span)),
  };
}

function firstFew(what: string, found: readonly string[]): string[] {
  if (found.length === 0) return [];
  const shown = found.slice(0, EXAMPLES).join('; ');
  return [`${what} (${found.length}): ${shown}`];
}
