import { type RunReport, runScenario } from './run-scenario.ts';
import { drawScenario, type ScenarioOptions } from './scenario.ts';
import { FAULTS } from './weather.ts';

/** A failure, with the smallest scenario of its seed that was found to fail in the same way. */
export interface Shortest {
  options: ScenarioOptions;
  report: RunReport;
}

/** Most runs that the search for a shorter failure may take. */
const MAX_RUNS = 60;
const MIN_STORM_MS = 5_000;

/**
 * Removes what a failure does not need: time, contacts, campaigns, instances, whole kinds of faults.
 *
 * Shape: the same seed breaks the same invariant; null when the scenario does not fail at all
 */
export async function shrink(seed: number, options: ScenarioOptions = {}): Promise<Shortest | null> {
  const first = await runScenario(drawScenario(seed, options), { keepsJournal: true });
  if (first.violation === null) return null;
  const { invariant } = first.violation;
  let best: Shortest = { options, report: first };
  let runs = 0;
  for (let isShorter = true; isShorter && runs < MAX_RUNS; ) {
    isShorter = false;
    for (const candidate of shorterOptions(best)) {
      if (++runs > MAX_RUNS) break;
      const report = await runScenario(drawScenario(seed, candidate), { keepsJournal: true });
      if (report.violation?.invariant !== invariant || report.journal.length >= best.report.journal.length) continue;
      best = { options: candidate, report };
      isShorter = true;
      break;
    }
  }
  return best;
}

function* shorterOptions({ options, report }: Shortest): Generator<ScenarioOptions> {
  const stormMs = options.stormMs ?? report.simulatedMs;
  if (stormMs / 2 >= MIN_STORM_MS) yield { ...options, stormMs: Math.round(stormMs / 2) };
  const campaigns = options.maxCampaigns ?? 4;
  if (campaigns > 1) yield { ...options, maxCampaigns: campaigns - 1 };
  const contacts = options.maxContacts ?? 12;
  if (contacts > 2) yield { ...options, maxContacts: Math.max(2, Math.floor(contacts / 2)) };
  const instances = options.instances ?? 4;
  if (instances > 1) yield { ...options, instances: instances - 1 };
  const faults = options.faults ?? FAULTS;
  for (const fault of faults) yield { ...options, faults: faults.filter(other => other !== fault) };
}
