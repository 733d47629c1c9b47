import type { ConferenceSwitch } from '#platform/freeswitch/switch.ts';
import type { AgentDirectory, AgentReservations } from '#agents/agent-directory.ts';
import type { ConferenceStore } from './ports-conference-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { PhoneAddressDeps } from '#agents/sip-config.ts';

export interface ConferenceSettings {
  /** Ringing time of one agent's phone; shorter than the lease of a reservation (D12.7). */
  ringTimeoutSeconds: number;
  /** Most agents rung one after the other before the customer returns to the script. */
  maxAgentsAsked: number;
  /** Longest duration of a session, in ms. */
  maxSessionMs: number;
  /** Interval at which sessions are compared with the switch, in ms. */
  reconcileIntervalMs: number;
  isRecording: boolean;
  /** Conference profile of a cell. */
  profileOf(cellId: string): string;
}

export interface ConferenceDeps
  extends PhoneAddressDeps,
    SlotsPart,
    RuntimePart,
    RuntimeEventsPart,
    Pick<Platform, 'switchPort' | 'clock' | 'ids' | 'log'> {
  conferences: ConferenceStore;
  agents: AgentDirectory;
  reservations: AgentReservations;
  rooms: ConferenceSwitch;
  conferenceSettings: ConferenceSettings;
  /** Longest delay from the mark to the socket write (A6 step 6), in ms. */
  sendDeadlineMs: number;
}
