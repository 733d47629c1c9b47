import { type RunReport, runScenario } from './run-scenario.ts';
import { drawScenario, type ScenarioWish } from './scenario.ts';
import { FAULTS } from './weather.ts';

/** A failure and the smallest scenario of its seed that was found to fail alike. */
export interface Shortest {
  wish: ScenarioWish;
  report: RunReport;
}

/** Runs that looking for a shorter failure may cost. */
const MAX_RUNS = 60;
const MIN_STORM_MS = 5_000;

/**
 * Takes away what a failure does not need: time, contacts, campaigns, instances, whole kinds of faults.
 *
 * Shape: the same seed breaks the same invariant; null when the scenario does not fail at all
 */
export async function shrink(seed: number, wish: ScenarioWish = {}): Promise<Shortest | null> {
  const first = await runScenario(drawScenario(seed, wish), { keepsJournal: true });
  if (first.violation === null) return null;
  const { invariant } = first.violation;
  let best: Shortest = { wish, report: first };
  let runs = 0;
  for (let isShorter = true; isShorter && runs < MAX_RUNS; ) {
    isShorter = false;
    for (const candidate of shorterWishes(best)) {
      if (++runs > MAX_RUNS) break;
      const report = await runScenario(drawScenario(seed, candidate), { keepsJournal: true });
      if (report.violation?.invariant !== invariant || report.journal.length >= best.report.journal.length) continue;
      best = { wish: candidate, report };
      isShorter = true;
      break;
    }
  }
  return best;
}

function* shorterWishes({ wish, report }: Shortest): Generator<ScenarioWish> {
  const stormMs = wish.stormMs ?? report.simulatedMs;
  if (stormMs / 2 >= MIN_STORM_MS) yield { ...wish, stormMs: Math.round(stormMs / 2) };
  const campaigns = wish.maxCampaigns ?? 4;
  if (campaigns > 1) yield { ...wish, maxCampaigns: campaigns - 1 };
  const contacts = wish.maxContacts ?? 12;
  if (contacts > 2) yield { ...wish, maxContacts: Math.max(2, Math.floor(contacts / 2)) };
  const instances = wish.instances ?? 4;
  if (instances > 1) yield { ...wish, instances: instances - 1 };
  const faults = wish.faults ?? FAULTS;
  for (const fault of faults) yield { ...wish, faults: faults.filter(other => other !== fault) };
}
