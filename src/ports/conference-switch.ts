import type { ConferenceMember, ConferencePlace } from './switch.ts';

export type MemberAction = 'mute' | 'unmute' | 'deaf' | 'undeaf' | 'hold' | 'unhold' | 'kick';

export type MemberRelation = { otherId: number; how: 'nospeak' } | { how: 'clear' };

/**
 * Control of conferences and of single legs at the switch.
 *
 * Errors: SWITCH_UNAVAILABLE when the cell does not answer; INVALID_ARGUMENT for a name or id that could be more than that
 * Source: test/fixtures/esl/README.md §4, recording d-conference-plain
 */
export interface ConferenceSwitch {
  /** Sends a live channel into a conference, whatever it does now. */
  join(cellId: string, channelUuid: string, place: ConferencePlace): Promise<'moved' | 'absent'>;
  /** Takes a live channel out of its conference and keeps it. */
  park(cellId: string, channelUuid: string): Promise<'moved' | 'absent'>;
  /** Members right now; null when there is no such conference. */
  members(cellId: string, conferenceName: string): Promise<readonly ConferenceMember[] | null>;
  change(cellId: string, conferenceName: string, memberId: number, action: MemberAction): Promise<'done' | 'absent'>;
  /** `nospeak`: `otherId` does not hear the member from now on; `clear`: whoever did not hear it does again. */
  relate(cellId: string, conferenceName: string, memberId: number, relation: MemberRelation): Promise<'done' | 'absent'>;
  /** Writes the conference to a file of the cell's recording folder; `null` stops. */
  record(cellId: string, conferenceName: string, fileName: string | null): Promise<'done' | 'absent'>;
  sendDigits(cellId: string, channelUuid: string, digits: string): Promise<'done' | 'absent'>;
}
