import type { SwitchPhones } from '#platform/freeswitch/switch.ts';
import type { AgentReservations } from '#agents/agent-directory.ts';
import type { LegStore } from '#legs/leg-record.ts';
import type { SoftphoneStore } from './agent-call.ts';
import type { EvaluateDeps } from '#dialling/evaluate.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';

/** Dependencies of agents' calls. */
export interface AgentCallDeps extends EvaluateDeps, SlotsPart, Pick<Platform, 'switchPort' | 'clock' | 'ids' | 'log'> {
  softphoneCalls: SoftphoneStore;
  conferences: LegStore;
  agentReservations: AgentReservations;
  phones: SwitchPhones;
  /** Longest delay from the mark to the socket write, in ms (A6 step 6). */
  sendDeadlineMs: number;
  originateTimeoutSeconds: (cellId: string) => number;
}
