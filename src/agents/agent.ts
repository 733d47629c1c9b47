import { z } from 'zod';
import { AGENT_STATUSES } from './agent-status.ts';
import { flag, requiredText, rowId, stamps } from '#kernel/fields.ts';

export const REGISTRATION_STATUSES = ['registered', 'unregistered', 'unconfigured', 'unknown'] as const;

const MAX_NAME_LENGTH = 128;
const MAX_CELL_ID_LENGTH = 64;
const MAX_PASSWORD_LENGTH = 200;

export const registrationStatus = z.enum(REGISTRATION_STATUSES);
export type RegistrationStatus = z.output<typeof registrationStatus>;

/** An agent's current state. */
const presence = {
  status: z.enum(AGENT_STATUSES),
  registrationStatus,
  /** `callKey` of the agent's current call. */
  currentCall: z.string().nullable(),
};

/**
 * An agent with its current state. `phoneExtension` is its only terminal identifier: `sipUsername` is accepted, never returned.
 *
 * Source: OCS 2.13, D12.1
 */
export const agent = z
  .object({
    id: rowId,
    name: z.string(),
    /** Empty: no phone is configured. */
    phoneExtension: z.string(),
    groupId: rowId.nullable(),
    userId: rowId.nullable(),
    cellId: z.string().nullable(),
    isEnabled: flag,
    ...presence,
    ...stamps,
  })
  .meta({ id: 'Agent' });

export type AgentView = z.output<typeof agent>;

/** An agent without its current state. */
export type Agent = Omit<AgentView, keyof typeof presence> & {
  /** Empty: same as the extension. */
  authUsername: string;
  /** Whether a password for the browser phone is stored. */
  hasPassword: boolean;
};

/** Characters that are safe in a SIP address and in a switch command. */
const EXTENSION = /^(?:[0-9A-Za-z_.*#-]{1,32})?$/;
const extension = z.string().trim().regex(EXTENSION, '只能含有字母、数字、_ . * # -，最多 32 个字符');

const optionalCell = z
  .string()
  .trim()
  .max(MAX_CELL_ID_LENGTH)
  .transform(text => (text === '' ? null : text))
  .nullable();

export const newAgent = z.object({
  name: requiredText(MAX_NAME_LENGTH),
  phoneExtension: extension.nullish(),
  /** Former name of `phoneExtension`, still sent by older clients (OCS 4.13 "Compatibility"). */
  sipUsername: extension.nullish(),
  groupId: rowId.nullish(),
  userId: rowId.nullish(),
  /** Null or empty: any cell. */
  cellId: optionalCell.optional(),
  isEnabled: flag.optional(),
  /** User name of the phone's SIP registration when it differs from the extension. */
  authUsername: extension.nullish(),
  /** Stored encrypted, returned only to the agent it belongs to; null or empty removes it. */
  sipPassword: z.string().max(MAX_PASSWORD_LENGTH).nullish(),
});
export const agentChanges = newAgent.partial();

export type NewAgent = z.output<typeof newAgent>;
export type AgentChanges = z.output<typeof agentChanges>;

/** Fields that creating or changing an agent writes. */
export interface AgentFields extends Omit<Agent, 'id' | 'hasPassword' | 'createdAt' | 'updatedAt'> {
  /** Undefined keeps the stored password; null removes it. */
  sealedPassword?: string | null;
}
