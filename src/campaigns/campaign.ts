import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { boundedJson, instant, rowId, stamps } from '#kernel/fields.ts';
import type { Line } from '#lines/line.ts';
import { CALLBACK_FATES, CALLBACK_RULE_DEFAULTS } from './decisions/callback-rules.ts';
import { CAMPAIGN_DEFAULTS, CAMPAIGN_PHASES, CAMPAIGN_STATUSES, MAX_MONITORING_PRIORITY } from './decisions/campaign-states.ts';

export const MONITORING_MODES = ['strict', 'elastic', 'unattended'] as const;
const MAX_VARIABLES = 200;
const MAX_VARIABLE_NAME_LENGTH = 128;
const MAX_VARIABLE_LENGTH = 4_000;
/** Limit of the input before members that are not strings are dropped, in characters of JSON. */
const MAX_RAW_VARIABLES_LENGTH = 2 * 1024 * 1024;
/** Source: D5.4 */
const MAX_INTENT_KEYWORDS = 200;
const MAX_KEYWORD_LENGTH = 64;
/** Limit of the input before blanks and duplicates are dropped. */
const MAX_RAW_KEYWORDS = 10 * MAX_INTENT_KEYWORDS;

/** Members that are not strings are dropped: variables are injected as text only. Source: OCS 2.6 */
const variables = boundedJson(z.record(z.string().max(MAX_VARIABLE_NAME_LENGTH), z.json()), MAX_RAW_VARIABLES_LENGTH)
  .transform(members => Object.fromEntries(Object.entries(members).filter(isText)))
  .refine(members => Object.keys(members).length <= MAX_VARIABLES, issue('variablesAtMost', { max: MAX_VARIABLES }))
  .refine(
    members => Object.values(members).every(value => value.length <= MAX_VARIABLE_LENGTH),
    issue('variableTooLong', { max: MAX_VARIABLE_LENGTH }),
  );

const intentKeywords = z
  .array(z.string().trim().max(MAX_KEYWORD_LENGTH))
  .max(MAX_RAW_KEYWORDS)
  .transform(words => [...new Set(words.filter(word => word !== ''))])
  .refine(words => words.length <= MAX_INTENT_KEYWORDS, issue('keywordsAtMost', { max: MAX_INTENT_KEYWORDS }));

/** Source: OCS 2.6, D5.4 */
export const businessConfigInput = z.strictObject({
  variables: variables.exactOptional(),
  intentKeywords: intentKeywords.exactOptional(),
  monitoringMode: z.enum(MONITORING_MODES).exactOptional(),
  monitoringPriority: z.int().min(0).max(MAX_MONITORING_PRIORITY).exactOptional(),
});

/** The stored and returned form. */
const businessConfig = z.object({
  variables: z.record(z.string(), z.string()).exactOptional(),
  intentKeywords: z.array(z.string()).exactOptional(),
  monitoringMode: z.enum(MONITORING_MODES).exactOptional(),
  monitoringPriority: z.int().exactOptional(),
});

export type MonitoringMode = (typeof MONITORING_MODES)[number];
export type BusinessConfig = z.output<typeof businessConfig>;

function isText(member: [string, unknown]): member is [string, string] {
  return typeof member[1] === 'string';
}

/** The only business whose calls users monitor. Source: OCS 2.6 */
export const MONITORED_BUSINESS = 'kb-audio-chat-business';

/**
 * Normalises a business configuration for storage: monitoring members only for the monitored business, empty groups omitted.
 *
 * Source: OCS 2.6, D5.4
 */
export function fitBusinessConfig(config: BusinessConfig, businessCode: string): BusinessConfig {
  const { variables = {}, intentKeywords = [], monitoringMode, monitoringPriority } = config;
  const monitoring = {
    monitoringMode: monitoringMode ?? 'unattended',
    monitoringPriority: monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority,
  };
  return {
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
    ...(intentKeywords.length > 0 ? { intentKeywords } : {}),
    ...(businessCode === MONITORED_BUSINESS ? monitoring : {}),
  };
}

/** Monitoring mode of a campaign; absent outside the monitored business. */
interface Monitoring {
  monitoringMode?: 'strict' | 'elastic' | 'unattended';
}

/**
 * Whether a campaign's live calls are assigned to monitors.
 *
 * Why:    calls of an unattended campaign would occupy monitors that other calls need
 * Source: OCS 2.6 `monitoringMode`
 */
export function isMonitored({ monitoringMode }: Monitoring): boolean {
  return monitoringMode === 'strict' || monitoringMode === 'elastic';
}

/** Whether a dial requires an available monitor. Source: OCS 4.12 rule 4 */
export function needsMonitor({ monitoringMode }: Monitoring): boolean {
  return monitoringMode === 'strict';
}

/** Weight of a campaign when several share a line or a cell. Source: A6 step 2 */
export function weightOf(monitoringPriority: number): number {
  return monitoringPriority + 1;
}

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
    callbackMissed: z.enum(CALLBACK_FATES).meta({
      description:
        '回访到时未接通：again 隔几分钟再呼，next_day 次日同一时间，anybody 不再限本坐席、隔几分钟再呼，give_up 放弃并通知（D7.12）',
    }),
    callbackAgainMinutes: z.int().meta({ description: '回访未接通后再次呼叫的间隔，分钟' }),
    callbackMaxMisses: z.int().meta({ description: '回访未接通的最多次数，之后放弃' }),
    anybodyAfterMinutes: z.int().meta({ description: '坐席本人的回访：坐席不空闲时等待的分钟数，之后按普通回访呼叫' }),
    recordingDays: z.int().nullable().meta({ description: '录音保留的天数，之后删除；0 为一直保留，null 为系统的设置' }),
    workdayStart: z.string().nullable(),
    workdayEnd: z.string().nullable(),
    timeZone: z.string().nullable().meta({ description: '联系人时区未知时采用的 IANA 时区；null 为系统时区' }),
    scheduledStartAt: instant.nullable(),
    scheduledEndAt: instant.nullable(),
    businessConfig,
    description: z.string(),
    status: z.enum(CAMPAIGN_STATUSES),
    phase: z.enum(CAMPAIGN_PHASES).meta({
      description:
        '活动当前在做什么或等待什么：IDLE 未运行，DISPATCHING 调度中，WAITING_WINDOW 等待时段，WAITING_INTERVAL 等待呼叫间隔，WAITING_RETRY 等待重试，WAITING_SLOT 等待并发名额，WAITING_MONITOR 等待监控坐席，WAITING_RUNTIME 没有在线的话术引擎或其名额已满，BLOCKED_BY_POLICY 策略禁止，DRAINING 等待通话结束，SWITCH_UNREACHABLE 交换机不可达',
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
  ...CALLBACK_RULE_DEFAULTS,
  cellId: null,
  retryAnsweredWithoutResult: false,
  retryUnknown: false,
  recordingDays: null,
  workdayStart: null,
  workdayEnd: null,
  timeZone: null,
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
  /** Callbacks that are promised; counted only once the planned end has passed, else 0. */
  promised: number;
}

/** The methods of the dial store (`dialling/dial-store.ts`) that campaigns call. Errors: DATABASE_UNAVAILABLE */
export interface CampaignClaims {
  /** Null when the campaign is deleted. */
  loadPlan(campaignId: number): Promise<CampaignPlan | null>;
  /** Reverts every `claimed` attempt of the campaign. Returns the request ids for slot release. */
  cancelClaims(campaignId: number, reason: string): Promise<string[]>;
  /** Clears the record of calls ended for lack of a script: the campaign dials again, including the contacts held for it. */
  forgetScriptless(campaignId: number): Promise<void>;
}

export interface ClaimsPart {
  dials: CampaignClaims;
}

/** The part of a dial plan (`dialling/dial-store.ts`) that campaigns read. */
interface CampaignPlan {
  counts: DialCounts;
  script: { scriptId: number; version: number } | null;
  runtimeBringsFlow: boolean;
  lines: readonly Line[];
}
