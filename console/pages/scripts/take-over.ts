/** A campaign of the script's business. */
export interface Taker {
  databaseId: string;
  name: string;
  status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED';
}

interface ScriptRef {
  databaseId: string;
  name: string;
  version: number;
}

/** Changes for campaigns when a script comes into force. */
export interface TakeOver {
  /** The campaigns that use the script from their next call on, running ones first. */
  takers: readonly Taker[];
  /** Whether one of them calls people now. */
  isRunning: boolean;
  /** The script that they use until then: another one, or this one's version in force. */
  replaced: ScriptRef | null;
  /** An enabled script that is newer: campaigns go on with it, and nothing changes for them. */
  instead: ScriptRef | null;
}

/** Statuses from which a campaign may call again, those nearest to a call first. */
const ORDER: readonly Taker['status'][] = ['RUNNING', 'PAUSED', 'DRAFT', 'COMPLETED'];

/** Campaigns of a business use its newest enabled script, whenever that was enabled. Source: D5.7 */
export function takeOverOf({ databaseId }: Pick<ScriptRef, 'databaseId'>, taken: ScriptRef | null, campaigns: readonly Taker[]): TakeOver {
  const isBehind = taken !== null && Number(taken.databaseId) > Number(databaseId);
  if (isBehind) return { takers: [], isRunning: false, replaced: null, instead: taken };
  const takers = ORDER.flatMap(status => campaigns.filter(campaign => campaign.status === status));
  return { takers, isRunning: takers[0]?.status === 'RUNNING', replaced: taken, instead: null };
}
