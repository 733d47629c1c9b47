import type { Guard } from './guards.ts';
import type { ScenarioOptions } from './scenario.ts';

/** The weather in which the absence of a guard shows soon; most show in any. */
export const WITHOUT: Readonly<Record<Guard, ScenarioOptions>> = {
  mark: {},
  confirm: {},
  grace: {},
  rebuild: {},
  // A process that is held up between its last look and its write: nothing else needs the deadline.
  deadline: { boost: { held_originate: 10 }, faults: ['held_originate'] },
  index: {},
  version: {},
  command: {},
  sight: {},
  // Nothing else may fail: a silence then is the runtimes'.
  offerLimit: { isRuntimeOnly: true },
  firstWord: { isRuntimeOnly: true },
  absence: { isRuntimeOnly: true, boost: { runtime_kill: 1 } },
  epoch: { isRuntimeOnly: true },
  listener: { isRuntimeOnly: true },
  clock: {},
  person: {},
  silence: { boost: { dead_carrier: 1 } },
  guess: {},
  // A cache that forgets while calls last of a campaign that somebody has paused: it does not ask again by itself. Runtimes that keep silent in
  // such a weather leave customers waiting before too many are watched.
  watch: { isMonitored: true, hasHonestRuntimes: true, boost: { wipe: 3, campaign_pause: 3 }, faults: ['wipe', 'campaign_pause'] },
};
