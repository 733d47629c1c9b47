/**
 * All Redis keys of the server. The hash tag in braces keeps the keys of one script in one cluster slot.
 *
 * Source: A5
 */
const CALL_PARTITIONS = 256;

/** All slots share one shard; a call costs 24 µs of Redis (A9). */
export const SLOT_PREFIX = 's:{0}:';

/** The monitor registry is changed as a whole in one step. */
export const MONITOR_PREFIX = 'm:{0}:';

/** Key with which servers sign their messages to each other. */
export const SERVER_KEY = 'server-key';

/** Written by an instance to check that the cache accepts writes. */
export function healthKey(instanceId: string): string {
  return `health:${instanceId}`;
}

export interface CallKeys {
  actor: string;
  due: string;
  outboxOrder: string;
  outboxBodies: string;
  live: string;
}

export function callKeys(requestId: string): CallKeys {
  const prefix = partitionPrefix(partitionOf(requestId));
  return { actor: `${prefix}${requestId}`, ...partitionKeys(prefix) };
}

/** Key layout of one actor type. */
export interface ActorSpace {
  keysOf(id: string): CallKeys;
  partitions(): Omit<CallKeys, 'actor'>[];
  /** Keys deleted together with an actor: exactly two. */
  companionsOf(id: string): [string, string];
}

export const CALL_SPACE: ActorSpace = {
  keysOf: callKeys,
  partitions: allPartitions,
  companionsOf: id => [captionKeys(id).spoken, captionKeys(id).places],
};

/** One cluster slot for an actor type with at most a few thousand actors. */
function smallSpace(prefix: string): ActorSpace {
  const shared = partitionKeys(`${prefix}:{0}:`);
  return {
    keysOf: id => ({ actor: `${prefix}:{0}:id:${id}`, ...shared }),
    partitions: () => [shared],
    companionsOf: id => [`${prefix}:{0}:with:${id}`, `${prefix}:{0}:also:${id}`],
  };
}

/** Agents, by id. */
export const AGENT_SPACE = smallSpace('a');
/** Calls between an agent and a customer, by request id. */
export const AGENT_CALL_SPACE = smallSpace('ac');

/** Keys of a call's actor, its captions in order, and their positions by segment id. */
export function captionKeys(requestId: string): { actor: string; spoken: string; places: string } {
  const prefix = partitionPrefix(partitionOf(requestId));
  return { actor: `${prefix}${requestId}`, spoken: `${prefix}said:${requestId}`, places: `${prefix}place:${requestId}` };
}

export function allPartitions(): Omit<CallKeys, 'actor'>[] {
  return Array.from({ length: CALL_PARTITIONS }, (_, index) => partitionKeys(partitionPrefix(index)));
}

function partitionKeys(prefix: string): Omit<CallKeys, 'actor'> {
  return { due: `${prefix}due`, outboxOrder: `${prefix}ob`, outboxBodies: `${prefix}obody`, live: `${prefix}live` };
}

function partitionPrefix(partition: number): string {
  return `c:{${partition}}:`;
}

/** FNV-1a of the id's characters: stable across processes and versions. */
function partitionOf(requestId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < requestId.length; index++) hash = Math.imul(hash ^ requestId.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % CALL_PARTITIONS;
}

/** Patterns for all keys of `importKey`, and all entries of `answerKeys`. */
export const IMPORT_KEYS = 'import:*';
export const ANSWER_KEYS = 'answer:{*}:*';

export function importKey(campaignId: number, importId: string): string {
  return `import:${campaignId}:${importId}`;
}

/** Keys of a stored answer and of its owner's used quota. */
export function answerKeys(owner: string, id: string): { entry: string; room: string } {
  return { entry: `answer:{${owner}}:${id}`, room: `answer:{${owner}}:room` };
}
