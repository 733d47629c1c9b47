import type { WatchedCall } from './call-changes.ts';

export const CALL_STATES = ['RINGING', 'LIVE', 'ENDED'] as const;
export type CallState = (typeof CALL_STATES)[number];
export const CALL_SORTS = ['need', 'newest', 'longest'] as const;
export type CallSort = (typeof CALL_SORTS)[number];

/** Filter and order of the shown calls; an empty member does not filter. */
export interface CallChoice {
  campaignId: string;
  state: string;
  /** Only calls that need an agent. */
  isWanted: boolean;
  sort: string;
}

const OPEN_INTERVENTIONS = ['REQUESTED', 'TRANSFERRING', 'ACTIVE'];

export function isClaimed({ intervention }: Pick<WatchedCall, 'intervention'>): boolean {
  return intervention !== null && OPEN_INTERVENTIONS.includes(intervention.status);
}

/** Whether a call needs an agent: the customer said a keyword, or the call waits for a monitor, and nobody has claimed it. */
export function isWanted(call: WatchedCall): boolean {
  return call.status === 'LIVE' && !isClaimed(call) && (call.intentHits.length > 0 || call.waitingSince !== null);
}

export function isOver({ status }: Pick<WatchedCall, 'status'>): boolean {
  return status === 'SETTLING' || status === 'ENDED';
}

/** State for the filter: ringing and dialled are one state, and so are settling and ended. */
export function stateOf(call: Pick<WatchedCall, 'status'>): CallState {
  if (isOver(call)) return 'ENDED';
  return call.status === 'LIVE' ? 'LIVE' : 'RINGING';
}

/** Without a state, every call that has not ended matches. */
export function matches(choice: CallChoice, call: WatchedCall): boolean {
  if (choice.campaignId && call.campaignId !== choice.campaignId) return false;
  if (choice.isWanted && !isWanted(call)) return false;
  return choice.state ? stateOf(call) === choice.state : !isOver(call);
}

/** Keys of the matching calls, most urgent first: an unanswered keyword, then the longest wait, then the campaign's priority. */
export function orderedKeys(calls: readonly WatchedCall[], choice: CallChoice, priorities: ReadonlyMap<string, number>): string[] {
  const rankOf = choice.sort === 'newest' ? newestFirst : choice.sort === 'longest' ? longestFirst : needFirst;
  return calls
    .filter(call => matches(choice, call))
    .map(call => ({ key: call.callKey, rank: rankOf(call, priorities.get(call.campaignId) ?? 0) }))
    .sort((a, b) => compareRanks(a.rank, b.rank) || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key);
}

/** Sort key, compared member by member, smaller first. */
type Rank = readonly number[];

function newestFirst({ startedAt }: WatchedCall): Rank {
  return [-Date.parse(startedAt)];
}

function longestFirst({ startedAt }: WatchedCall): Rank {
  return [Date.parse(startedAt)];
}

function needFirst(call: WatchedCall, priority: number): Rank {
  const isHit = isWanted(call) && call.intentHits.length > 0;
  const waitsSince = call.waitingSince === null ? Number.MAX_VALUE : Date.parse(call.waitingSince);
  return [isHit ? 0 : 1, waitsSince, -priority, call.status === 'LIVE' ? 0 : 1, Date.parse(call.startedAt)];
}

function compareRanks(a: Rank, b: Rank): number {
  const place = a.findIndex((each, index) => each !== b[index]);
  return place === -1 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}
