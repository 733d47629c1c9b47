import { sql } from 'kysely';
import { getAgent } from '#agents/list-agents.ts';
import type { AgentsPart } from '#agents/agent-directory.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { AgentMessage } from './desk.ts';
import { MESSAGE_COLUMNS, type MessageFeedPart } from './message-feed.ts';

type SendApp = AuditPart & MessageFeedPart & Pick<AgentsPart, 'agents'> & Pick<Platform, 'db'>;

/**
 * Sends a message to the desk of an agent's user, where it stays until it is read.
 *
 * Errors: NOT_FOUND; CONFLICT (AGENT_WITHOUT_USER) when nobody works as the agent
 * Source: D12.11
 */
export async function sendAgentMessage(app: SendApp, caller: Caller, agentId: number, { text }: { text: string }): Promise<AgentMessage> {
  const { name, userId } = await getAgent(app, agentId);
  if (userId === null) throw conflict('AGENT_WITHOUT_USER', `坐席「${name}」没有绑定用户，收不到消息`);
  const message = await insertMessage(app.db, { agentId, userId, text, sentBy: caller.displayName || caller.name });
  app.messageFeed.refresh(userId);
  const summary = `给坐席「${name}」发消息`;
  await audit(app, caller, { action: 'agent.message_sent', targetType: 'agent', targetId: agentId, summary, detail: { text } });
  return message;
}

interface NewMessage extends Pick<AgentMessage, 'agentId' | 'text' | 'sentBy'> {
  userId: number;
}

async function insertMessage(db: Sql, { agentId, userId, text, sentBy }: NewMessage): Promise<AgentMessage> {
  const row = await db.first(sql<AgentMessage>`
    insert into agent_message as m (agent_id, user_id, text, sent_by) values (${agentId}, ${userId}, ${text}, ${sentBy}) returning ${MESSAGE_COLUMNS}`);
  if (!row) throw new Error('an inserted row is returned');
  return row;
}

/** Marks a message of one's own as read; again, it stays read since the first time. Errors: NOT_FOUND */
export async function markMessageRead(
  app: MessageFeedPart & Pick<Platform, 'db'>,
  caller: Caller,
  messageId: number,
): Promise<AgentMessage> {
  const message = await app.db.first(sql<AgentMessage>`
    update agent_message m set read_at = coalesce(m.read_at, now()) where m.id = ${messageId} and m.user_id = ${caller.userId} returning ${MESSAGE_COLUMNS}`);
  if (!message) throw notFound('消息');
  if (caller.userId !== null) app.messageFeed.refresh(caller.userId);
  return message;
}
