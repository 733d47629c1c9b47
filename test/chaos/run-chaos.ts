import { sql } from 'kysely';
import { sleep, systemClock } from '#kernel/clock.ts';
import { seededRandom } from '#kernel/random.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { carryOut } from './carry-out.ts';
import { type ChaosRig, startChaosRig, subscribe } from './chaos-rig.ts';
import type { FaultSpan } from './checks.ts';
import { EDIT_KINDS, type Editing, keepEditing } from './edits.ts';
import { describeFault, type PlannedFault } from './fault-plan.ts';
import { channelsOf, judge, recoveriesOf, type Verdict } from './judge.ts';
import { type Load, startLoad } from './load.ts';
import { comeToRest, countBurned, readAttempts } from './settle.ts';
import { startWorkBeside } from './work-beside.ts';

export interface ChaosOptions {
  seed: number;
  plan: readonly PlannedFault[];
  /** Contacts of each campaign; they must last for the whole plan. */
  contactsPerCampaign: number;
  /** Time limit for the product to come to rest at the end, ms. */
  restTimeoutMs: number;
  /** How long after the response to a calm edit the switch may still show a channel that violates it, ms. */
  channelLimitMs: number;
  print(line: string): void;
  signal: AbortSignal;
}

const READ_INTERVAL_MS = 3_000;
/** Limit of the time in which dispatch recovers after a fault, ms. Source: A6, A8 */
export const RECOVERY_LIMIT_MS = 5_000;
/** Calm after the last fault, ms, so that its recovery is measured too. */
const LAST_CALM_MS = 7_000;
/** Longest wait for that recovery, ms; needed on a machine that stalls. */
const MAX_LAST_CALM_MS = 120_000;

/**
 * Runs the product under load through a plan of faults, and judges it by the records of the switch, the runtimes and PostgreSQL.
 *
 * Why:    leaves no process and no folder behind, whatever happens
 * Source: A6, A8, D8.6
 */
export async function runChaos(options: ChaosOptions): Promise<Verdict> {
  await using stack = new AsyncDisposableStack();
  const rig = await startChaosRig(stack, options);
  await subscribe(rig);
  const load = await startLoad(rig.rest, rig.database, options.contactsPerCampaign);
  const startedAt = systemClock.now();
  const reading = new AbortController();
  const readers = Promise.all(rig.cells.map(cell => keepReading(cell, reading.signal)));
  const editing = new AbortController();
  const edits: Editing = { edits: [], refused: 0 };
  const edited = keepEditing({ ...rig, campaign: editedCampaign(load), random: seededRandom(options.seed) }, edits, editing.signal);
  const breaking = new AbortController();
  const beside = startWorkBeside(rig, { seed: options.seed, working: editing.signal, breaking: breaking.signal, watching: reading.signal });
  // Stops the loops of a failed run, which would keep the process alive.
  stack.defer(async () => {
    for (const loop of [reading, editing, breaking]) loop.abort();
    await Promise.allSettled([readers, edited, beside.over]);
  });
  const faults = await disturb(rig, load, options);
  // What waits for the receiver is delivered while the last recoveries are measured.
  breaking.abort();
  await untilDialledAgain({ rig, load, faults, signal: options.signal });
  await untilEachEdited(edits);
  const disturbedUntil = systemClock.now();
  editing.abort();
  await edited;
  await stopLoad(rig, load);
  await rig.runtime.finish(AbortSignal.any([options.signal, AbortSignal.timeout(options.restTimeoutMs)]));
  const remains = await comeToRest(rig.services, rig.database, { timeoutMs: options.restTimeoutMs, signal: options.signal });
  reading.abort();
  await Promise.all([readers, beside.over]);
  for (const cell of rig.cells) await waitUntil(`the record of ${cell.id}`, () => cell.read().then(() => true));
  const attempts = await readAttempts(rig.database);
  return judge({
    rig,
    load,
    faults,
    ...edits,
    remains,
    attempts,
    ...(await beside.evidence(attempts)),
    burned: await countBurned(rig.database),
    span: { startedAt, endedAt: disturbedUntil },
    channelLimitMs: options.channelLimitMs,
  });
}

/** Waits the last calm, and longer while a campaign has not dialled since the last fault. */
async function untilDialledAgain(run: { rig: ChaosRig; load: Load; faults: readonly FaultSpan[]; signal: AbortSignal }): Promise<void> {
  const { rig, load, faults, signal } = run;
  const startedAt = systemClock.now();
  await sleep(systemClock, LAST_CALM_MS, signal);
  for (;;) {
    const span = { startedAt, endedAt: systemClock.now() };
    const isBack = recoveriesOf({ faults, load, span }, channelsOf(rig)).every(({ ms }) => ms !== null);
    if (isBack || signal.aborted || span.endedAt - startedAt > MAX_LAST_CALM_MS) return;
    await sleep(systemClock, READ_INTERVAL_MS, signal);
  }
}

/** Waits until each kind of edit was confirmed once. On a stalling machine that may fail; the verdict then reports it. */
async function untilEachEdited({ edits }: Editing): Promise<void> {
  const kinds = () => new Set(edits.map(edit => edit.kind)).size;
  await waitUntil('an answered edit of each kind', () => kinds() === EDIT_KINDS).catch(() => undefined);
}

function editedCampaign(load: Load) {
  const edited = load.campaigns.find(campaign => campaign.isEdited);
  if (!edited) throw new Error('no campaign is there to be edited');
  return edited;
}

async function disturb(rig: ChaosRig, load: Load, options: ChaosOptions): Promise<FaultSpan[]> {
  const { plan, signal } = options;
  const done: FaultSpan[] = [];
  for (const { calmMs, faults } of plan) {
    await sleep(systemClock, calmMs, signal);
    if (signal.aborted) break;
    const what = faults.map(describeFault).join(' + ');
    const startedAt = systemClock.now();
    await Promise.all(faults.map(fault => carryOut(rig, fault))).catch((error: unknown) => {
      throw new Error(`${what}: ${String(error)}`, { cause: error });
    });
    const endedAt = systemClock.now();
    options.print(`chaos: ${what} (${endedAt - startedAt} ms)`);
    done.push({ what, startedAt, endedAt });
    // Runs in the background and ends with the run.
    void tellWhoWaits({ rig, load, options, fault: { what, startedAt, endedAt } }).catch(() => undefined);
  }
  return done;
}

/** Prints why a campaign has not dialled again in time; the figure alone would not show where to look. */
async function tellWhoWaits(run: { rig: ChaosRig; load: Load; options: ChaosOptions; fault: FaultSpan }): Promise<void> {
  const { rig, load, options, fault } = run;
  await sleep(systemClock, RECOVERY_LIMIT_MS + READ_INTERVAL_MS, options.signal);
  const span = { startedAt: fault.startedAt, endedAt: systemClock.now() };
  const [recovery] = recoveriesOf({ faults: [fault], load, span }, channelsOf(rig));
  if (recovery?.ms !== null) return;
  const rows = await rig.database.rows(sql<{ id: number; phase: string; reason: string | null }>`
    select id, phase, phase_reason as reason from campaign order by id`);
  options.print(
    `chaos: a campaign waits since ${fault.what}: ${rows.map(({ id, phase, reason }) => `${id} ${phase} ${reason ?? ''}`).join('; ')}`,
  );
}

/** Reads the cell's record regularly; an unresponsive cell is read again later. */
async function keepReading(cell: ChaosRig['cells'][number], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await cell.read().catch(() => undefined);
    await sleep(systemClock, READ_INTERVAL_MS, signal);
  }
}

/** Pauses the campaigns. One without contacts left has completed, and its refusal is ignored. */
async function stopLoad(rig: ChaosRig, load: Load): Promise<void> {
  await Promise.all(
    load.campaigns.map(({ id }) => rig.rest.call('PATCH', `/api/campaigns/${id}`, { status: 'paused' }).catch(() => undefined)),
  );
}
