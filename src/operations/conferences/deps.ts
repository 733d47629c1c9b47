import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { AgentDesks, AgentReservations } from '#ports/agent-desk.ts';
import type { ConferenceStore } from '#ports/conference-store.ts';
import type { ConferenceSwitch } from '#ports/conference-switch.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { RuntimeLink } from '#ports/runtime-link.ts';
import type { SlotRegistry } from '#ports/slot-registry.ts';
import type { SwitchPort } from '#ports/switch.ts';
import type { PhoneAddressDeps } from '../agents/phone-address.ts';

export interface ConferenceSettings {
  /** How long one agent's phone rings; less than the life of a reservation (D12.7). */
  ringTimeoutSeconds: number;
  /** Agents who are asked, one after the other, before the customer is told that nobody is free. */
  maxAgentsAsked: number;
  /** Longest life of a session, ms. */
  maxSessionMs: number;
  /** Sessions are compared with the switch this often, ms. */
  reconcileIntervalMs: number;
  isRecording: boolean;
  /** Profile of conferences at a cell. */
  profileOf(cellId: string): string;
}

export interface ConferenceDeps extends PhoneAddressDeps {
  conferences: ConferenceStore;
  agents: AgentDesks;
  reservations: AgentReservations;
  switchPort: Pick<SwitchPort, 'originate' | 'hangup' | 'probe' | 'channels' | 'cells' | 'subscribe'>;
  rooms: ConferenceSwitch;
  runtime: Pick<RuntimeLink, 'command'>;
  slots: Pick<SlotRegistry, 'permit' | 'release'>;
  events: Pick<RuntimeEventStore, 'record'>;
  clock: Clock;
  ids: IdSource;
  log: Log;
  conferenceSettings: ConferenceSettings;
  /** From the mark to the socket write at the latest (A6 step 6), ms. */
  sendDeadlineMs: number;
}
