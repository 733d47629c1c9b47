import type { ErrorCode } from '#kernel/errors.ts';

/** Source: D5.1 */
export const CAMPAIGN_STATUSES = ['draft', 'running', 'paused', 'completed', 'archived'] as const;

export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** What a campaign still has to do; paused contacts do not count. */
export interface CampaignWork {
  /** Contacts never dialled since their last reset. */
  pendingCount: number;
  /** Failed contacts with attempts left, due or not. */
  retryableCount: number;
  activeCalls: number;
}

export type MoveDecision =
  /** `changes` false: the campaign is there already, and nothing is written. */
  | { ok: true; changes: boolean }
  /** `message` Chinese. */
  | { ok: false; code: Extract<ErrorCode, 'NOTHING_TO_CALL' | 'CAMPAIGN_ARCHIVED' | 'CONFLICT'>; message: string };

/** Where a person may move a campaign. `completed` is entered by the campaign itself. */
const MOVES: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['running', 'archived'],
  running: ['running', 'paused'],
  paused: ['running', 'paused', 'archived'],
  completed: ['running', 'archived'],
  archived: [],
};

const STATUS_TEXTS: Readonly<Record<CampaignStatus, string>> = {
  draft: '草稿',
  running: '运行中',
  paused: '已暂停',
  completed: '已完成',
  archived: '已归档',
};

/**
 * Whether a person may set a campaign's status.
 *
 * Errors: CAMPAIGN_ARCHIVED from `archived`; CONFLICT for a move that does not exist or an archiving with live calls;
 *         NOTHING_TO_CALL for a start with nothing pending, retryable or active
 * Source: OCS §3 "Campaign status", D5.2
 */
export function decideCampaignMove(from: CampaignStatus, to: CampaignStatus, work: CampaignWork): MoveDecision {
  if (from === 'archived') return { ok: false, code: 'CAMPAIGN_ARCHIVED', message: '活动已归档，不能再修改' };
  if (!MOVES[from].includes(to)) {
    return { ok: false, code: 'CONFLICT', message: `活动当前为${STATUS_TEXTS[from]}，不能改为${STATUS_TEXTS[to]}` };
  }
  if (to === 'running' && isDrained(work)) return { ok: false, code: 'NOTHING_TO_CALL', message: '活动没有可呼叫的联系人，不能启动' };
  if (to === 'archived' && work.activeCalls > 0) return { ok: false, code: 'CONFLICT', message: '活动还有进行中的通话，不能归档' };
  return { ok: true, changes: from !== to };
}

/** Whether a running campaign is done and completes by itself. Source: D5.2 */
export function isDrained(work: CampaignWork): boolean {
  return work.pendingCount === 0 && work.retryableCount === 0 && work.activeCalls === 0;
}
