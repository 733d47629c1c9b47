import { defineEntity, p } from '@mikro-orm/core';
import { z } from 'zod';
import { AGENT_STATUSES } from '#rules/agent-status.ts';
import { at, stampColumns } from './columns.ts';
import { flag, requiredText, rowId, stamps } from './fields.ts';

export const REGISTRATION_STATUSES = ['registered', 'unregistered', 'unconfigured', 'unknown'] as const;

const MAX_NAME_LENGTH = 128;
const MAX_CELL_ID_LENGTH = 64;
const MAX_PASSWORD_LENGTH = 200;

export const registrationStatus = z.enum(REGISTRATION_STATUSES);
export type RegistrationStatus = z.output<typeof registrationStatus>;

/** What an agent does at this moment. */
const presence = {
  status: z.enum(AGENT_STATUSES),
  registrationStatus,
  /** `callKey` of the call that the agent is in. */
  currentCall: z.string().nullable(),
};

/** An agent with what it does at this moment: the single terminal identifier; `sipUsername` is never answered. Source: OCS 2.13, D12.1 */
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

/** Who an agent is. */
export type Agent = Omit<AgentView, keyof typeof presence> & {
  /** Empty: the extension itself. */
  authUsername: string;
  /** Whether a password for the browser phone is stored. */
  hasPassword: boolean;
};

/** What may stand in a SIP address and in a command of the switch. */
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
  /** Older clients name the extension so (OCS 4.13 "Compatibility"). */
  sipUsername: extension.nullish(),
  groupId: rowId.nullish(),
  userId: rowId.nullish(),
  /** Null or empty: any cell. */
  cellId: optionalCell.optional(),
  isEnabled: flag.optional(),
  /** User name of the phone's registration when it is not the extension. */
  authUsername: extension.nullish(),
  /** Kept encrypted, answered to its own agent only; null or empty removes it. */
  sipPassword: z.string().max(MAX_PASSWORD_LENGTH).nullish(),
});
export const agentChanges = newAgent.partial();

export type NewAgent = z.output<typeof newAgent>;
export type AgentChanges = z.output<typeof agentChanges>;

/** What a change of an agent writes. */
export interface AgentFields extends Omit<Agent, 'id' | 'hasPassword' | 'createdAt' | 'updatedAt'> {
  /** Undefined leaves what is stored; null removes it. */
  sealedPassword?: string | null;
}

const schema = defineEntity({
  name: 'AgentEntity',
  tableName: 'agent',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    phoneExtension: p.text(),
    groupId: p.integer().strictNullable(),
    userId: p.integer().strictNullable(),
    cellId: p.text().strictNullable(),
    isEnabled: p.boolean(),
    authUsername: p.text(),
    sealedPassword: p.text().strictNullable().hidden(),
    deletedAt: at().strictNullable().hidden(),
    ...stampColumns(),
  },
});

export class AgentEntity extends schema.class {}
schema.setClass(AgentEntity);
