import { z } from 'zod';
import { bigRowId, instant, requiredText, rowId } from '#kernel/fields.ts';

/** Longest message, in characters: it is read at a glance, perhaps during a call. */
const MAX_MESSAGE_LENGTH = 200;

/** Message of a supervisor to the user of an agent. Source: D12.11 */
export const agentMessage = z
  .object({
    id: bigRowId,
    agentId: rowId,
    text: z.string(),
    sentBy: z.string().meta({ description: '发送人的名称' }),
    createdAt: instant,
    readAt: instant.nullable(),
  })
  .meta({ id: 'AgentMessage' });

export type AgentMessage = z.output<typeof agentMessage>;

export const newAgentMessage = z.object({ text: requiredText(MAX_MESSAGE_LENGTH) });
