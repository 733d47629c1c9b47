import { sleep, systemClock } from '#kernel/clock.ts';
import { seededRandom } from '#kernel/random.ts';
import { carryOut } from './carry-out.ts';
import { type ChaosRig, startChaosRig } from './chaos-rig.ts';
import type { FaultSpan } from './checks.ts';
import { keepEditing } from './edits.ts';
import { describeFault, type PlannedFault } from './fault-plan.ts';
import { judge, type Verdict } from './judge.ts';
import { type Load, startLoad } from './load.ts';
import { comeToRest, readAttempts } from './settle.ts';

export interface ChaosOptions {
  seed: number;
  plan: readonly PlannedFault[];
  /** Contacts of each campaign; they must outlast the plan. */
  contactsPerCampaign: number;
  /** How long the product may take to come to rest at the end, ms. */
  restTimeoutMs: number;
  tell(line: string): void;
  signal: AbortSignal;
}

const READ_INTERVAL_MS = 3_000;
/** After the last fault: its recovery is measured too. ms */
const LAST_CALM_MS = 7_000;

/**
 * Runs the product under load through a plan of faults and judges what it did by what the switch, the runtime and PostgreSQL say.
 *
 * Why:    leaves no process and no folder behind, whatever happens
 * Source: A6, A8, D8.6
 */
export async function runChaos(options: ChaosOptions): Promise<Verdict> {
  await using stack = new AsyncDisposableStack();
  const rig = await startChaosRig(stack, options);
  const load = await startLoad(rig.rest, rig.database, options.contactsPerCampaign);
  const startedAt = systemClock.now();
  const reading = new AbortController();
  const readers = Promise.all(rig.cells.map(cell => keepReading(cell, reading.signal)));
  const editing = new AbortController();
  const edited = keepEditing({ ...rig, campaign: editedCampaign(load), random: seededRandom(options.seed) }, editing.signal);
  const faults = await disturb(rig, options);
  await sleep(systemClock, LAST_CALM_MS, options.signal);
  const disturbedUntil = systemClock.now();
  editing.abort();
  const edits = await edited;
  await stopLoad(rig, load);
  await rig.runtime.finish(AbortSignal.any([options.signal, AbortSignal.timeout(options.restTimeoutMs)]));
  const remains = await comeToRest(rig.services, rig.database, { timeoutMs: options.restTimeoutMs, signal: options.signal });
  reading.abort();
  await readers;
  for (const cell of rig.cells) await cell.read();
  return judge({
    rig,
    load,
    faults,
    ...edits,
    remains,
    attempts: await readAttempts(rig.database),
    span: { startedAt, endedAt: disturbedUntil },
  });
}

function editedCampaign(load: Load) {
  const edited = load.campaigns.find(campaign => campaign.isEdited);
  if (!edited) throw new Error('no campaign is there to be edited');
  return edited;
}

async function disturb(rig: ChaosRig, options: ChaosOptions): Promise<FaultSpan[]> {
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
    options.tell(`chaos: ${what} (${endedAt - startedAt} ms)`);
    done.push({ what, startedAt, endedAt });
  }
  return done;
}

/** A cell that does not answer now is asked again. */
async function keepReading(cell: ChaosRig['cells'][number], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await cell.read().catch(() => undefined);
    await sleep(systemClock, READ_INTERVAL_MS, signal);
  }
}

/** A campaign that has run out of contacts is completed: it cannot be paused and need not. */
async function stopLoad(rig: ChaosRig, load: Load): Promise<void> {
  await Promise.all(
    load.campaigns.map(({ id }) => rig.rest.call('PATCH', `/api/campaigns/${id}`, { status: 'paused' }).catch(() => undefined)),
  );
}
