import { invalidArgument, notFound } from '#kernel/errors.ts';
import type { Policy } from '#policies/policy.ts';
import { localTimeAt, parseDate } from '#kernel/calendar.ts';
import { prepareWindow } from '#policies/decisions/calling-window.ts';
import { preparePolicies } from '#policies/decisions/evaluate.ts';
import { type DialingDay, dialingDays } from './decisions/dialing-days.ts';
import type { EvaluateDeps } from './evaluate-dial.ts';
import { readCampaignRules, readCommonRules } from './number-question.ts';

/** Limit of days per response; the search horizon for openings is four times as long. */
const MAX_DAYS = 100;
const DEFAULT_DAYS = 28;
/** Limit of the distance between the first day and today. */
const MAX_DISTANCE_DAYS = 3_660;

export interface DialingDaysInput {
  /** Null: rules that apply to every campaign. */
  campaignId: number | null;
  /** `YYYY-MM-DD`; null = today. */
  from: string | null;
  days?: number | undefined;
}

export interface DialingCalendar {
  /** Business time zone. */
  timeZone: string;
  days: DialingDay<Policy>[];
}

/**
 * Dialling hours of consecutive days, for every campaign or for one.
 *
 * Errors: NOT_FOUND when the campaign does not exist; INVALID_ARGUMENT naming `from` or `days`
 * Source: D5.3, D8.1
 */
export async function listDialingDays(
  deps: EvaluateDeps,
  { campaignId, from, days = DEFAULT_DAYS }: DialingDaysInput,
): Promise<DialingCalendar> {
  const { timeZone, region } = deps;
  const today = localTimeAt(timeZone, deps.clock.now()).day;
  const first = from === null ? today : parseDate(from);
  if (first === null) throw invalidArgument('from', '必须是 YYYY-MM-DD 格式的有效日期');
  if (Math.abs(first - today) > MAX_DISTANCE_DAYS) throw invalidArgument('from', `与今天相距不能超过 ${MAX_DISTANCE_DAYS} 天`);
  if (days < 1 || days > MAX_DAYS) throw invalidArgument('days', `必须在 1 到 ${MAX_DAYS} 之间`);
  const rules = campaignId === null ? await readCommonRules(deps.db) : await readCampaignRules(deps.db, campaignId);
  if (rules === null) throw notFound('活动');
  const prepared = {
    window: prepareWindow(rules.campaign),
    policies: preparePolicies(rules.policies, rules.campaign.id, region),
    zone: timeZone,
  };
  return { timeZone, days: dialingDays(prepared, first, days) };
}
