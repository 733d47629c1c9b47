import { sql } from 'kysely';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedEvent, type Source } from '#platform/feeds/feed.ts';
import { keyedSources } from '#platform/feeds/keyed-sources.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf, ids } from '#platform/postgres/values.ts';
import { type AgentMessage, agentMessage } from './desk.ts';

/** Poll interval, in ms: finds what another instance has written. */
const POLL_MS = 1_000;
/** Desks that open within this interval share one read, in ms. */
const SPACING_MS = 50;

/** Newest unread messages that a desk shows. */
const MAX_SHOWN = 20;
/** A message that nobody has read for longer than this is not shown any more, in hours: it belongs to another shift. */
const SHOWN_HOURS = 12;

export const MESSAGE_COLUMNS = columnsOf(agentMessage, 'm');

type Messages = readonly AgentMessage[];
export type MessagesEvent = FeedEvent<Messages, Messages>;

export interface MessageFeed {
  /** Unread messages of a user, newest first; `userId` is null when there is no user, who has none. */
  channel(userId: number | null): Channel<MessagesEvent>;
  /** Reads the user's messages again at once, if this instance serves their desk. */
  refresh(userId: number): void;
  close(): void;
}

export interface MessageFeedPart {
  messageFeed: MessageFeed;
}

/** Polls the messages of all desks of this process in one statement, and only while there are any. Source: D12.11 */
export function createMessageFeed(app: Pick<Platform, 'db' | 'clock' | 'ids' | 'log'>): MessageFeed {
  const feed = new Feed<Messages, Messages>(app, { lingerMs: 0 });
  const listeners = new Set<(userId: number) => void>();
  const sourceOf = keyedSources<number, Messages>(app, {
    what: 'messages to agents',
    read: userIds => readMessages(app.db, userIds),
    listen(refresh) {
      listeners.add(refresh);
      return () => listeners.delete(refresh);
    },
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
  return {
    channel: userId => feed.channel(String(userId), () => (userId === null ? NOTHING : sourceOf(userId))),
    refresh(userId) {
      for (const listener of listeners) listener(userId);
    },
    close: () => feed.close(),
  };
}

const NOTHING: Source<Messages, Messages> = {
  current: () => [],
  start: () => () => undefined,
};

/** Reads what the desks of users show: unread messages, newest first; users without any are in the result too. */
async function readMessages(db: Sql, userIds: readonly number[]): Promise<Map<number, AgentMessage[]>> {
  const rows = await db.rows(sql<AgentMessage & { userId: number }>`
    select m.user_id, ${MESSAGE_COLUMNS} from agent_message m
    where m.user_id = any(${ids(userIds)}) and m.read_at is null and m.created_at > now() - ${SHOWN_HOURS}::int * interval '1 hour' order by m.id desc`);
  const messages = new Map(userIds.map(userId => [userId, new Array<AgentMessage>()]));
  for (const { userId, ...message } of rows) {
    const own = messages.get(userId);
    if (own && own.length < MAX_SHOWN) own.push(message);
  }
  return messages;
}
