import { z } from 'zod';
import { ATTEMPT_STATUSES, EMOTION_STATUSES, RECORDING_STATES } from '#attempts/attempt.ts';
import { OUTCOMES } from '#attempts/decisions/evidence.ts';
import { resultConditions } from '#attempts/decisions/result-condition.ts';
import { SKIP_REASONS } from '#campaigns/decisions/skip-reason.ts';
import { CONTACT_STATUSES } from '#contacts/contact.ts';
import { MAX_PHONE_NUMBER_LENGTH } from '#contacts/decisions/numbers.ts';
import { listCode } from '#kernel/coded-list.ts';
import { bigRowId, flag, instantText, MAX_INT4, requiredText, rowId, stamps } from '#kernel/fields.ts';
import { CALL_STATUSES } from '#protocol/call-status.ts';

/** The bound of every search in a list. */
const MAX_SEARCH_LENGTH = 200;
const MAX_NAME_LENGTH = 64;
const MAX_ADDRESS_LENGTH = 4_000;
/** Farthest beginning of a list that moves with the calendar, in days. */
const MAX_DAYS = 400;

const text = (maxLength: number) => z.string().trim().max(maxLength).nullish();
const count = z.int().nonnegative().max(MAX_INT4).nullish();

/** Members that filters of calls and contacts share. */
const shared = {
  campaignId: rowId.nullish(),
  from: instantText.nullish(),
  to: instantText.nullish(),
  sinceDays: z
    .int()
    .min(0)
    .max(MAX_DAYS)
    .nullish()
    .meta({ description: '从多少天前的零点起（业务时区），0 为今天；随日期推移，与 from 只能给出一个' }),
  phoneNumber: text(MAX_PHONE_NUMBER_LENGTH),
  callStatus: z.enum(CALL_STATUSES).nullish(),
  agentId: rowId.nullish(),
  classification: text(MAX_SEARCH_LENGTH),
  intent: text(MAX_SEARCH_LENGTH),
  resultField: resultConditions.nullish(),
};

/** A filter of calls, as the list of calls has it. */
export const savedCallFilter = z
  .object({
    ...shared,
    status: z.enum(ATTEMPT_STATUSES).nullish(),
    withdrawn: flag.nullish(),
    answered: flag.nullish(),
    open: flag.nullish(),
    outcome: z.enum(OUTCOMES).nullish(),
    emotionStatus: z.enum(EMOTION_STATUSES).nullish(),
    resultMissing: flag.nullish(),
    recordingState: z.enum(RECORDING_STATES).nullish(),
    contactId: bigRowId.nullish(),
    lineId: rowId.nullish(),
    minDurationSeconds: count,
    maxDurationSeconds: count,
    text: text(MAX_SEARCH_LENGTH),
    disposition: listCode.nullish(),
  })
  .meta({ id: 'SavedCallFilter' });

/** A filter of contacts, as the lists of contacts have it. */
export const savedContactFilter = z
  .object({
    ...shared,
    q: text(MAX_SEARCH_LENGTH),
    status: z.enum(CONTACT_STATUSES).nullish(),
    minAttempts: count,
    maxAttempts: count,
    isHeld: flag.nullish(),
    notDialedReason: z.enum(SKIP_REASONS).nullish().meta({ description: '必须同时给出 campaignId' }),
    batchId: bigRowId.nullish(),
  })
  .meta({ id: 'SavedContactFilter' });

export type SavedCallFilter = z.output<typeof savedCallFilter>;
export type SavedContactFilter = z.output<typeof savedContactFilter>;

const kept = {
  name: requiredText(MAX_NAME_LENGTH),
  address: z.string().max(MAX_ADDRESS_LENGTH).meta({ description: '客户端显示该名单所用的查询参数' }),
  isShared: flag,
};

/** A list with its filter: of calls or of contacts. Source: D7.18 */
export const followUpList = z
  .object({
    id: rowId,
    ...kept,
    calls: savedCallFilter.nullable(),
    contacts: savedContactFilter.nullable(),
    createdBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'FollowUpList' });

export type FollowUpList = z.output<typeof followUpList>;

export const newFollowUpList = z.object({
  name: kept.name,
  address: kept.address.nullish(),
  isShared: flag.nullish().meta({ description: '1 所有人可见；0 仅自己可见' }),
  calls: savedCallFilter.nullish().meta({ description: '通话的筛选；与 contacts 必须且只能给出一个' }),
  contacts: savedContactFilter.nullish().meta({ description: '联系人的筛选' }),
});

export type NewFollowUpList = z.output<typeof newFollowUpList>;

/** Absent members stay. A new filter takes the place of the old one, of either kind. */
export const followUpChanges = newFollowUpList.partial();

export type FollowUpChanges = z.output<typeof followUpChanges>;

export const feeding = z.object({
  campaignId: rowId,
  withResults: flag.nullish().meta({ description: '将通话得到的结果字段一并作为变量带入，默认 1' }),
});

export type Feeding = z.output<typeof feeding>;
