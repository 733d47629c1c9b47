import { z } from 'zod';
import type { Line } from '#lines/line.ts';
import { CAMPAIGN_DEFAULTS, CAMPAIGN_PHASES, CAMPAIGN_STATUSES } from './decisions/campaign-bounds.ts';
import { businessConfig } from './business-config.ts';
import { instant, rowId, stamps } from '#kernel/fields.ts';

/** A dialling job: lines, hours, concurrency, retries. Status, phase and next wake-up belong to its actor. Source: OCS 2.6, D5.1 */
export const campaign = z
  .object({
    id: rowId,
    name: z.string(),
    businessCode: z.string(),
    cellId: z.string().nullable(),
    lineIds: z.array(rowId),
    maxConcurrency: z.int(),
    maxRetries: z.int(),
    retryIntervalSeconds: z.int(),
    callIntervalMs: z.int(),
    /** Redials a contact that answered but whose result never arrived (D7.8). */
    retryAnsweredWithoutResult: z.boolean(),
    /** Redials a contact whose call ended with an unknown outcome (D7.8). */
    retryUnknown: z.boolean(),
    workdayStart: z.string().nullable(),
    workdayEnd: z.string().nullable(),
    scheduledStartAt: instant.nullable(),
    scheduledEndAt: instant.nullable(),
    businessConfig,
    description: z.string(),
    status: z.enum(CAMPAIGN_STATUSES),
    phase: z.enum(CAMPAIGN_PHASES).meta({
      description:
        '活动当前在做什么或等待什么：IDLE 未运行，DISPATCHING 调度中，WAITING_WINDOW 等待时段，WAITING_INTERVAL 等待呼叫间隔，WAITING_RETRY 等待重试，WAITING_SLOT 等待并发名额，WAITING_MONITOR 等待监控坐席，WAITING_RUNTIME 没有在线的话术运行时或其名额已满，BLOCKED_BY_POLICY 策略禁止，DRAINING 等待通话结束，SWITCH_UNREACHABLE 交换机不可达',
    }),
    phaseReason: z.string().nullable().meta({ description: '原因，中文' }),
    nextWakeAt: instant.nullable(),
    ...stamps,
  })
  .meta({ id: 'Campaign' });

export type Campaign = z.output<typeof campaign>;

/** Fields that users edit. */
export type CampaignFields = Omit<Campaign, 'id' | 'createdAt' | 'updatedAt' | 'status' | 'phase' | 'phaseReason' | 'nextWakeAt'>;

const { monitoringPriority: _ofBusinessConfig, ...NUMBERS } = CAMPAIGN_DEFAULTS;

/** Defaults of a new campaign. Source: D5.3 */
export const CAMPAIGN_FIELD_DEFAULTS = {
  ...NUMBERS,
  cellId: null,
  retryAnsweredWithoutResult: false,
  retryUnknown: false,
  workdayStart: null,
  workdayEnd: null,
  scheduledStartAt: null,
  scheduledEndAt: null,
  businessConfig: {},
  description: '',
} as const;

/** Whether a start may find work; a held contact waits and counts as pending. Source: OCS §3, D5.2 */
export function hasWork({ pending, held, retryable, active }: DialCounts): boolean {
  return pending + held + retryable + active > 0;
}

export interface DialCounts {
  /** `pending` and not on hold. */
  pending: number;
  /** On hold for a reason with a known end. */
  held: number;
  /** `failed` with a retry time, not on hold. */
  retryable: number;
  /** Retryable contacts whose time has come; counted up to 1,000. */
  dueRetries: number;
  /** Open attempts. */
  active: number;
}

/** What a campaign asks of the store of dials: what there is to dial, and the withdrawal of claims that have not left. Errors: DATABASE_UNAVAILABLE */
export interface CampaignClaims {
  /** Null when the campaign is deleted. */
  loadPlan(campaignId: number): Promise<CampaignPlan | null>;
  /** Reverts every `claimed` attempt of the campaign. Returns the request ids for slot release. */
  cancelClaims(campaignId: number, reason: string): Promise<string[]>;
  /** Clears the record of calls ended for lack of a script: the campaign dials again, including the contacts held for it. */
  forgetScriptless(campaignId: number): Promise<void>;
}

/** The part of a dial plan (`dialling/dial-store.ts`) that campaigns read. */
export interface CampaignPlan {
  counts: DialCounts;
  script: { scriptId: number; version: number } | null;
  runtimeBringsFlow: boolean;
  lines: readonly Line[];
}
