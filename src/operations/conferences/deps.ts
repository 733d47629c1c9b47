import type { ConferenceSwitch } from '#ports/switch.ts';
import type { AgentDirectory, AgentReservations } from '#ports/agent-directory.ts';
import type { ConferenceStore } from '#ports/conference-store.ts';
import type { Ports } from '#ports/ports.ts';
import type { PhoneAddressDeps } from '../agents/phone-address.ts';

export interface ConferenceSettings {
  /** How long one agent's phone rings; less than the life of a reservation (D12.7). */
  ringTimeoutSeconds: number;
  /** Agents who are asked, one after the other, before the script has the customer again. */
  maxAgentsAsked: number;
  /** Longest life of a session, ms. */
  maxSessionMs: number;
  /** Sessions are compared with the switch this often, ms. */
  reconcileIntervalMs: number;
  isRecording: boolean;
  /** Profile of conferences at a cell. */
  profileOf(cellId: string): string;
}

export interface ConferenceDeps
  extends PhoneAddressDeps,
    Pick<Ports, 'switchPort' | 'slots' | 'runtime' | 'events' | 'clock' | 'ids' | 'log'> {
  conferences: ConferenceStore;
  agents: AgentDirectory;
  reservations: AgentReservations;
  rooms: ConferenceSwitch;
  conferenceSettings: ConferenceSettings;
  /** From the mark to the socket write at the latest (A6 step 6), ms. */
  sendDeadlineMs: number;
}
