import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { AgentReservations } from '#ports/agent-desk.ts';
import type { ConferenceStore } from '#ports/conference-store.ts';
import type { SlotRegistry } from '#ports/slot-registry.ts';
import type { SoftphoneStore } from '#ports/softphone-store.ts';
import type { SwitchPhones } from '#ports/switch-phones.ts';
import type { SwitchPort } from '#ports/switch.ts';
import type { NumberRefusalDeps } from '#dialling/evaluate-dial.ts';

/** What calls of agents run on. */
export interface AgentCallDeps extends NumberRefusalDeps {
  softphoneCalls: SoftphoneStore;
  conferences: Pick<ConferenceStore, 'changeLeg'>;
  agentReservations: AgentReservations;
  slots: SlotRegistry;
  switchPort: SwitchPort;
  phones: SwitchPhones;
  clock: Clock;
  ids: IdSource;
  log: Log;
  /** From the mark to the socket write at the latest, ms (A6 step 6). */
  sendDeadlineMs: number;
  originateTimeoutSeconds: (cellId: string) => number;
}
