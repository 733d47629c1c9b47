import type { AgentStatsRow } from '../agent-stat.ts';

/** Time that an agent spent in a state at one hour of the day. */
export interface AgentSlice {
  agentId: number;
  state: string;
  reason: string | null;
  hour: number;
  seconds: number;
}

/** States in which an agent works on calls; with `idle` they are being on duty. */
const OCCUPIED: ReadonlySet<string> = new Set(['ringing', 'talking', 'wrap_up']);

type Times = Pick<AgentStatsRow, 'wrapUpSeconds' | 'onDutySeconds' | 'occupancy' | 'states' | 'hours'>;

/** Sums the time slices of one agent: on duty, in wrap-up, by state and by hour. */
export function timesOf(slices: readonly AgentSlice[]): Times {
  const states = [...Map.groupBy(slices, ({ state, reason }) => `${state} ${reason ?? ''}`).values()].flatMap(stateOf);
  const byHour = Map.groupBy(slices, ({ hour }) => hour);
  const hours = [...byHour].map(([hour, own]) => ({ hour, ...dutyOf(own) })).filter(({ onDutySeconds }) => onDutySeconds > 0);
  return {
    wrapUpSeconds: secondsIn(slices, state => state === 'wrap_up'),
    ...dutyOf(slices),
    states,
    hours: hours.sort((a, b) => a.hour - b.hour),
  };
}

function stateOf(slices: readonly AgentSlice[]): Times['states'] {
  const [first] = slices;
  const seconds = secondsIn(slices, () => true);
  return first === undefined || seconds === 0 ? [] : [{ state: first.state, reason: first.reason, seconds }];
}

function dutyOf(slices: readonly AgentSlice[]): Pick<Times, 'onDutySeconds' | 'occupancy'> {
  const occupied = secondsIn(slices, state => OCCUPIED.has(state));
  const onDutySeconds = occupied + secondsIn(slices, state => state === 'idle');
  return { onDutySeconds, occupancy: onDutySeconds === 0 ? null : occupied / onDutySeconds };
}

function secondsIn(slices: readonly AgentSlice[], isCounted: (state: string) => boolean): number {
  return Math.round(slices.reduce((sum, { state, seconds }) => sum + (isCounted(state) ? seconds : 0), 0));
}
