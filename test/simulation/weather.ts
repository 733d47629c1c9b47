import type { Dice } from './dice.ts';

/** Faults that may occur; a run may leave any of them out. */
export const FAULTS = [
  'slow',
  'lost_reply',
  'refused',
  'late',
  'crash',
  'pause',
  'wipe',
  'cut',
  'cell_restart',
  'late_originate',
  'lost_originate',
  'switch_refusal',
  'event_loss',
  'event_duplicate',
  'runtime_loss',
  'runtime_conflict',
  'policy_edit',
  'campaign_pause',
  'do_not_call',
  'contact_reset',
  'manual_dispatch',
  'held_originate',
  'contact_pause',
  'line_edit',
  'runtime_kill',
  'runtime_refusal',
  'runtime_silence',
  'dead_carrier',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Faults of the runtimes only. */
export const RUNTIME_FAULTS: readonly Fault[] = ['runtime_loss', 'runtime_conflict', 'runtime_kill', 'runtime_refusal', 'runtime_silence'];

/** How often each fault occurs in one run. */
export interface Weather {
  /** While false, no fault occurs. */
  isActive: boolean;
  /** Probability per call or occasion. */
  of(fault: Fault): number;
  strikes(fault: Fault): boolean;
}

/** Highest probability of each fault: per call to a store (the first six), otherwise per call at the switch or of the runtime. */
const WORST: Record<Fault, number> = {
  slow: 0.1,
  lost_reply: 0.04,
  refused: 0.03,
  late: 0.02,
  crash: 0.012,
  pause: 0.006,
  wipe: 1,
  cut: 1,
  cell_restart: 1,
  late_originate: 0.25,
  lost_originate: 0.15,
  switch_refusal: 0.2,
  event_loss: 0.15,
  event_duplicate: 0.2,
  runtime_loss: 0.25,
  runtime_conflict: 0.2,
  policy_edit: 1,
  campaign_pause: 1,
  do_not_call: 1,
  contact_reset: 1,
  manual_dispatch: 1,
  held_originate: 0.02,
  contact_pause: 1,
  line_edit: 1,
  runtime_kill: 1,
  runtime_refusal: 0.2,
  runtime_silence: 0.1,
  dead_carrier: 1,
};

/** Draws the rates of a run: some faults absent, some rare, some at their highest rate. */
export function weather(dice: Dice, faults: ReadonlySet<Fault>, boost: Partial<Record<Fault, number>> = {}): Weather {
  const rates = new Map(
    FAULTS.map(fault => {
      const climate = dice.pick([0, 0.2, 0.5, 1]);
      return [fault, faults.has(fault) ? WORST[fault] * (boost[fault] ?? climate) : 0];
    }),
  );
  const of = (fault: Fault) => rates.get(fault) ?? 0;
  const made: Weather = { isActive: true, of, strikes: fault => made.isActive && dice.chance(of(fault)) };
  return made;
}
