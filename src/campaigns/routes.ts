import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { attemptList } from '#attempts/attempt-store.ts';
import { attempt, type Attempt } from '#attempts/attempt.ts';
import { shownAttempts } from '#attempts/shown-attempts.ts';
import { campaignBatches } from '#attempts/batch-store.ts';
import { batch, type Batch } from '#attempts/batch.ts';
import { contact, type Contact, type ContactsPart } from '#contacts/contact.ts';
import { listContacts } from '#contacts/list-contacts.ts';
import { isTimeZone, parseEndOfWindow, parseTimeOfDay } from '#kernel/calendar.ts';
import { instantText, requiredText, rowId, toInstantOrNull } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, pageOf, pageSearchQuery, route } from '#platform/http/route.ts';
import { ofCampaign, readPage, readSlice, requireRow } from '#platform/postgres/listing.ts';
import {
  MAX_CALL_INTERVAL_MS,
  MAX_CAMPAIGN_CONCURRENCY,
  MAX_RETRIES,
  MAX_RETRY_INTERVAL_SECONDS,
} from '#policies/decisions/policy-kind.ts';
import { CAMPAIGN_TABLE, campaignList } from './campaign-store.ts';
import { businessConfigInput, campaign, type Campaign } from './campaign.ts';
import { createCampaign, deleteCampaign, updateCampaign } from './change-campaigns.ts';
import { CALLBACK_FATES, MAX_CALLBACK_MINUTES, MAX_CALLBACK_MISSES } from './decisions/callback-rules.ts';
import { CAMPAIGN_STATUSES } from './decisions/campaign-states.ts';
import type { Platform } from '#platform/platform.ts';
import type { App } from '#app/app.ts';

const MAX_NAME_LENGTH = 128;
const MAX_BUSINESS_CODE_LENGTH = 128;
const MAX_CELL_ID_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_CAMPAIGN_LINES = 100;
const MAX_TIME_ZONE_LENGTH = 64;
const MAX_KEPT_DAYS = 36_500;

/** Treats null and the empty text as none. */
const optional = <Output>(schema: z.ZodType<Output, string>) => z.union([z.literal('').transform(() => null), schema]).nullable();

const END_FORMAT = issue('hoursAndMinutesOr24');
const timeOfDay = z
  .string()
  .max('HH:mm'.length, issue('hoursAndMinutes'))
  .refine(text => parseTimeOfDay(text) !== null, issue('hoursAndMinutes'));
const endOfWindow = z
  .string()
  .max('HH:mm'.length, END_FORMAT)
  .refine(text => parseEndOfWindow(text) !== null, END_FORMAT);

/** Members that older clients send; refused, so that no client believes they took effect. Source: OCS 2.6, 9 */
const moved = z.never({ error: issue('movedToBusinessConfig') }).optional();

/** Source: OCS 2.6, D5.3, D5.4 */
const optionalFields = {
  cellId: optional(z.string().trim().max(MAX_CELL_ID_LENGTH)).optional(),
  maxConcurrency: z.int().min(1).max(MAX_CAMPAIGN_CONCURRENCY).optional(),
  maxRetries: z.int().min(0).max(MAX_RETRIES).optional(),
  retryIntervalSeconds: z.int().min(0).max(MAX_RETRY_INTERVAL_SECONDS).optional(),
  callIntervalMs: z.int().min(0).max(MAX_CALL_INTERVAL_MS).optional(),
  /** Dials a contact again that answered but whose result never arrived (D7.8). */
  retryAnsweredWithoutResult: z.boolean().meta({ description: '已接听但始终没有结果的联系人是否再次外呼' }).optional(),
  /** Dials a contact again whose call has an unknown outcome (D7.8). */
  retryUnknown: z.boolean().meta({ description: '结果未知（交换机也无法确认）的联系人是否再次外呼' }).optional(),
  callbackMissed: z.enum(CALLBACK_FATES).optional(),
  callbackAgainMinutes: z.int().min(1).max(MAX_CALLBACK_MINUTES).optional(),
  callbackMaxMisses: z.int().min(1).max(MAX_CALLBACK_MISSES).optional(),
  anybodyAfterMinutes: z.int().min(0).max(MAX_CALLBACK_MINUTES).optional(),
  recordingDays: z.int().min(0).max(MAX_KEPT_DAYS).nullish().meta({ description: '录音保留的天数，0 为一直保留；null 为系统的设置' }),
  workdayStart: optional(timeOfDay).optional(),
  workdayEnd: optional(endOfWindow).optional(),
  timeZone: optional(z.string().trim().max(MAX_TIME_ZONE_LENGTH).refine(isTimeZone, issue('timeZone'))).optional(),
  scheduledStartAt: optional(instantText).optional(),
  scheduledEndAt: optional(instantText).optional(),
  businessConfig: businessConfigInput.optional(),
  description: z.string().trim().max(MAX_DESCRIPTION_LENGTH).optional(),
  variables: moved,
  intentKeywords: moved,
};

const requiredFields = {
  name: requiredText(MAX_NAME_LENGTH),
  businessCode: requiredText(MAX_BUSINESS_CODE_LENGTH),
  lineIds: z.array(rowId).min(1).max(MAX_CAMPAIGN_LINES),
};

const oneCampaign = z.object({ campaign });

export const listCampaignsRoute = route('GET /api/campaigns', 'session', '外呼活动列表', {
  query: pageSearchQuery,
  data: pageOf(campaign),
});

export const createCampaignRoute = route('POST /api/campaigns', 'campaign:write', '新建外呼活动', {
  body: z.object({ ...requiredFields, ...optionalFields }),
  data: oneCampaign,
});

export const getCampaignRoute = route('GET /api/campaigns/:id', 'session', '活动详情：最近的联系人、通话和批次', {
  params: idParam,
  data: z.object({
    campaign,
    contacts: z.array(contact),
    contactTotal: z.int().nonnegative(),
    attempts: z.array(attempt),
    batches: z.array(batch),
  }),
});

export const updateCampaignRoute = route('PATCH /api/campaigns/:id', 'campaign:write', '修改外呼活动：状态、参数、线路、业务配置', {
  params: idParam,
  body: z.object({ ...requiredFields, ...optionalFields, status: z.enum(CAMPAIGN_STATUSES) }).partial(),
  data: oneCampaign,
});

export const deleteCampaignRoute = route('DELETE /api/campaigns/:id', 'campaign:write', '删除空的外呼活动', {
  params: idParam,
  data: oneCampaign,
});

/** Most rows of each kind in a detail; the full lists have their own endpoints. */
const SAMPLE_SIZE = 20;

interface CampaignDetail {
  campaign: Campaign;
  contacts: Contact[];
  contactTotal: number;
  attempts: Attempt[];
  batches: Batch[];
}

/**
 * Returns a campaign with its newest contacts, attempts and batches.
 *
 * Errors: NOT_FOUND
 * Source: OCS 2.6
 */
async function getCampaignDetail(app: ContactsPart & Pick<Platform, 'db'>, campaignId: number): Promise<CampaignDetail> {
  const campaign = await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  const newest = { limit: SAMPLE_SIZE };
  const [contacts, attempts, batches] = await Promise.all([
    listContacts(app, campaignId, { page: 1, pageSize: SAMPLE_SIZE, q: '', status: null }),
    readSlice(app, attemptList, { ...newest, campaignId }),
    readSlice(app, ofCampaign(campaignBatches, campaignId), newest),
  ]);
  return { campaign, contacts: contacts.rows, contactTotal: contacts.total, attempts: attempts.rows, batches: batches.rows };
}

/** Source: OCS 4.5 */
export function campaignHandlers(app: App): RestHandler[] {
  return [
    handler(listCampaignsRoute, ({ query }) => readPage(app, campaignList, query)),
    handler(createCampaignRoute, async ({ body, caller }) => ({
      campaign: await createCampaign(app, caller, timed(body, app.timeZone)),
    })),
    handler(getCampaignRoute, async ({ params, caller }) => {
      const { attempts, ...detail } = await getCampaignDetail(app, params.id);
      return { ...detail, attempts: await shownAttempts(app, caller, attempts) };
    }),
    handler(updateCampaignRoute, async ({ params, body, caller }) => ({
      campaign: await updateCampaign(app, caller, params.id, timed(body, app.timeZone)),
    })),
    handler(deleteCampaignRoute, async ({ params, caller }) => ({
      campaign: await deleteCampaign(app, caller, params.id),
    })),
  ];
}

interface TimedBody {
  scheduledStartAt?: string | null | undefined;
  scheduledEndAt?: string | null | undefined;
  variables?: undefined;
  intentKeywords?: undefined;
}

/** Converts the instants of a body to UTC ms; absent ones stay absent. */
function timed<Body extends TimedBody>(
  { scheduledStartAt, scheduledEndAt, variables: _v, intentKeywords: _i, ...body }: Body,
  zone: string,
) {
  return { ...body, scheduledStartAt: instantOf(scheduledStartAt, zone), scheduledEndAt: instantOf(scheduledEndAt, zone) };
}

function instantOf(text: string | null | undefined, zone: string): number | null | undefined {
  return text === undefined ? undefined : toInstantOrNull(text, zone);
}
