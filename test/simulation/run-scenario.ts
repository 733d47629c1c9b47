import { checkOutcomes, checkSilent, checkTimes, restless } from './final-checks.ts';
import type { Scenario } from './scenario.ts';
import { scheduleStorm } from './storm.ts';
import { Violation } from './violation.ts';
import { createWorld } from './world.ts';

/** Time within which the world must come to rest after the storm, ms. */
const REST_MS = 40 * 60_000;
/** Interval of the checks for rest, ms. */
const LOOK_MS = 1_000;

/** Limit that detects an endless loop; a busy world has hundreds of events a second. */
const MAX_EVENTS_PER_SECOND = 2_000;
const MAX_FIRST_EVENTS = 200_000;

export interface RunReport {
  seed: number;
  violation: Violation | null;
  dials: number;
  strictDials: number;
  /** Dials for which a policy asked for consent, and those to which a rule pack applied. */
  consentedDials: number;
  packedDials: number;
  crashes: number;
  pauses: number;
  wipes: number;
  cuts: number;
  restarts: number;
  /** Longest silence of an answered customer while the switch was reachable, ms. */
  longestSilenceMs: number;
  /**
   * Longest silence while only runtimes failed, first without, then with the customers whose runtime died or accepted the call in silence,
   * ms.
   */
  longestUnservedMs: number;
  longestBereftMs: number;
  isRuntimeOnly: boolean;
  /** Callbacks that were due after the storm, and those of them that were dialled or had ended in time. */
  callbacksDue: number;
  callbacksInTime: number;
  attempts: number;
  results: number;
  events: number;
  simulatedMs: number;
  journal: readonly string[];
}

/**
 * Plays one scenario to its end: the storm, then the time to come to rest.
 *
 * Shape: the same scenario gives the same report, to the last byte of its journal
 */
export async function runScenario(scenario: Scenario, options: { keepsJournal: boolean } = { keepsJournal: false }): Promise<RunReport> {
  const world = createWorld(scenario, options);
  const { timeline, checks, members, people, climate, notes } = world;
  const startedAt = timeline.now();
  const storm = scheduleStorm(world);
  let violation: Violation | null = null;
  try {
    // A check inside a promise fails outside any event, so violations are collected after each step.
    for (const { instance } of members) instance.start();
    people.start();
    world.keepers.start();
    world.watchers.start();
    world.runtimes.begin();
    world.silence.start();
    if (scenario.promises > 0) world.callbacks.start();
    await timeline.run(nextAt => {
      afterStep();
      return nextAt >= startedAt + scenario.stormMs;
    });
    climate.isActive = false;
    notes.write(() => 'the storm is over');
    people.tidyUp();
    await untilRest();
    checkOutcomes({ ...world, rang: checks.rang });
    checkTimes(world.tables, timeline.now());
    checkSilent(world.tables, checks.silent);
  } catch (error) {
    violation =
      error instanceof Violation ? error : new Violation('I0 program fault', error instanceof Error ? (error.stack ?? '') : String(error));
    notes.write(() => `VIOLATION ${String(violation?.message)}`);
  }
  return {
    seed: scenario.seed,
    violation,
    dials: checks.rang.size,
    strictDials: checks.watch.dials,
    consentedDials: checks.persons.dials.consented,
    packedDials: checks.persons.dials.packed,
    crashes: sum(members.map(({ instance }) => instance.crashes)),
    pauses: sum(members.map(({ instance }) => instance.pauses)),
    wipes: storm.wipes,
    cuts: storm.cuts,
    restarts: sum(world.cells.map(cell => cell.restarts)),
    longestSilenceMs: world.silence.longestMs,
    longestUnservedMs: world.silence.longestCalmMs.unaided,
    longestBereftMs: world.silence.longestCalmMs.all,
    isRuntimeOnly: scenario.isRuntimeOnly,
    callbacksDue: world.callbacks.counts.due,
    callbacksInTime: world.callbacks.counts.inTime,
    attempts: world.tables.attempts.length,
    results: world.firstReports.size,
    events: timeline.events,
    simulatedMs: timeline.now() - startedAt,
    journal: notes.lines,
  };

  function afterStep(): void {
    checks.afterStep();
    const most = MAX_FIRST_EVENTS + ((timeline.now() - startedAt) / 1_000) * MAX_EVENTS_PER_SECOND;
    if (timeline.events > most) throw new Violation('I5 turns in circles', `${timeline.events} events in ${timeline.now() - startedAt} ms`);
  }

  async function untilRest(): Promise<void> {
    const deadline = timeline.now() + REST_MS;
    const rest = { ...world, reportsUnderWay: () => world.runtimes.reportsUnderWay, deadline };
    for (;;) {
      const until = timeline.now() + LOOK_MS;
      timeline.after(LOOK_MS, () => undefined);
      await timeline.run(nextAt => {
        afterStep();
        return nextAt > until;
      });
      const problems = restless(rest);
      if (problems.length === 0) return;
      if (timeline.now() >= deadline) throw new Violation('I5 not at rest', problems.join('; '));
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
