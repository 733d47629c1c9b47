import { z } from 'zod';
import { optionalText, requiredText, rowId, stamps } from '#kernel/fields.ts';

const MAX_GROUP_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 2_000;

/** Agents who can take each other's calls. Source: OCS 2.13 */
export const agentGroup = z.object({ id: rowId, name: z.string(), description: z.string(), ...stamps }).meta({ id: 'AgentGroup' });

export type AgentGroup = z.output<typeof agentGroup>;

export const newAgentGroup = z.object({ name: requiredText(MAX_GROUP_NAME_LENGTH), description: optionalText(MAX_DESCRIPTION_LENGTH) });
export const agentGroupChanges = z
  .object({ name: requiredText(MAX_GROUP_NAME_LENGTH), description: z.string().trim().max(MAX_DESCRIPTION_LENGTH) })
  .partial();

export type AgentGroupFields = z.output<typeof newAgentGroup>;
export type AgentGroupChanges = z.output<typeof agentGroupChanges>;
