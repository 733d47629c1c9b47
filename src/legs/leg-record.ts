import { z } from 'zod';
import { LEG_MODES, LEG_ROLES, LEG_STATUSES, type LegMode, type LegRole } from './leg.ts';
import { bigRowId, instant, rowId } from '#kernel/fields.ts';

/** Modes of the rows that the contract describes; it has no whispering. */
const WIRE_MODES = LEG_MODES.filter(mode => mode !== 'whisper');

export const conferenceLeg = z.object({
  softphoneCallId: bigRowId,
  role: z.enum(LEG_ROLES),
  mode: z.enum(WIRE_MODES),
  agentId: rowId.nullable(),
  agentName: z.string().nullable(),
  targetNumber: z.string(),
  callUuid: z.string(),
  status: z.enum(LEG_STATUSES),
  canSpeak: z.boolean(),
  joinedAt: instant.nullable(),
  endedAt: instant.nullable(),
  endCause: z.string().nullable(),
});

/** The channel of one participant, recorded before it is dialled. Instants UTC ms */
export interface Leg extends Omit<z.output<typeof conferenceLeg>, 'callUuid' | 'role' | 'mode'> {
  role: LegRole;
  /** Mode within a conference; null, like `conferenceId`, for a call that an agent makes outside any conference. */
  mode: LegMode | null;
  conferenceId: number | null;
  /** Channel uuid at the switch. Equals the fence of the agent's reservation unless the agent's browser dialled in. */
  legUuid: string;
  /** Fence of the agent's reservation. */
  fence: string;
  /** Call of the agent who requested this leg. */
  askedByCallId: number | null;
  holdsSlot: boolean;
  memberId: number | null;
  /** When the right to dial it was claimed; null before, and for a browser that dialled in. */
  dialingAt: number | null;
  createdAt: number;
}

/** The effect of an event on a leg. */
export interface LegChange<Row extends Leg = Leg> {
  leg: Row;
  /** The row has changed. */
  isNew: boolean;
  /** Effects to run once the row is written. */
  effects: readonly { type: string; params: unknown }[];
}

/** Errors: DATABASE_UNAVAILABLE */
export interface LegStore {
  /** Changes the leg of an agent's own call as `decide` returns for its locked row. Null: no such leg, or no change. */
  changeLeg(legUuid: string, decide: (leg: Leg) => LegChange | null): Promise<LegChange | null>;
}

export interface LegStorePart {
  conferences: LegStore;
}
