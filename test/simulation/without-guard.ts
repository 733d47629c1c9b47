import type { Guard } from './guards.ts';
import type { ScenarioOptions } from './scenario.ts';

/** Scenario options under which the lack of each guard shows soon; most show under any. */
export const WITHOUT: Readonly<Record<Guard, ScenarioOptions>> = {
  mark: {},
  confirm: {},
  grace: {},
  rebuild: {},
  // Only a process held up between its last check and its write needs the deadline.
  deadline: { boost: { held_originate: 10 }, faults: ['held_originate'] },
  index: {},
  version: {},
  command: {},
  sight: {},
  // No other part may fail, so that any silence is the fault of runtimes.
  offerLimit: { isRuntimeOnly: true },
  firstWord: { isRuntimeOnly: true },
  // Beside runtimes only the cache fails, again and again.
  waited: { isRuntimeOnly: true, boost: { wipe: 3 }, faults: ['wipe'] },
  absence: { isRuntimeOnly: true, boost: { runtime_kill: 1 } },
  epoch: { isRuntimeOnly: true },
  listener: { isRuntimeOnly: true },
  // Nothing else may end or delay a call, hours included: its times are then the runtimes' alone.
  clock: { isRuntimeOnly: true, hasZones: false },
  person: {},
  silence: { boost: { dead_carrier: 1 } },
  guess: {},
  verdict: {},
  zones: { hasZones: true },
  rules: { hasRules: true },
  // The cache loses the dials of numbers that have made some.
  count: { hasCaps: true, boost: { wipe: 2 } },
  consent: { hasConsent: true },
  revoked: { hasConsent: true },
  pack: { hasPack: true },
  // Nothing else may hold a contact back.
  promise: { hasCallbacks: true, isRuntimeOnly: true },
  // The cache loses its data during calls of a campaign that a user has paused, so the campaign does not reserve again by itself.
  watch: { isMonitored: true, boost: { wipe: 3, campaign_pause: 3 }, faults: ['wipe', 'campaign_pause'] },
};
