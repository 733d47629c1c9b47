import { z } from 'zod';
import { callDisposition, DISPOSITION_CATEGORIES } from '#attempts/decisions/call-disposition.ts';
import { newCallback } from '#callbacks/callback.ts';
import { codedList, listCode, MAX_CODE_LENGTH, MAX_LABEL_LENGTH } from '#kernel/coded-list.ts';
import { bigRowId, boundedJson, flag, MAX_INT4, requiredText, rowId } from '#kernel/fields.ts';
import { resultField } from '#scripts/decisions/result-field.ts';

const MAX_DISPOSITIONS = 50;
const MAX_WRAP_UP_SECONDS = 3_600;

/** A choice at the end of a call. */
export const disposition = z
  .object({
    code: listCode,
    label: requiredText(MAX_LABEL_LENGTH),
    category: z.enum(DISPOSITION_CATEGORIES),
    needsNote: flag,
    needsCallback: flag,
    isEnabled: flag,
  })
  .meta({ id: 'Disposition' });

export type Disposition = z.output<typeof disposition>;

const settings = {
  dispositions: codedList(disposition, MAX_DISPOSITIONS),
  wrapUpSeconds: z.int().min(0).max(MAX_WRAP_UP_SECONDS),
  isRequired: flag,
};

/** Settings of a campaign or a business; null follows the business, or the server. */
export const ownSettings = z
  .object({
    dispositions: settings.dispositions.nullable(),
    wrapUpSeconds: settings.wrapUpSeconds.nullable().meta({ description: '通话后整理的秒数；0 不整理' }),
    isRequired: settings.isRequired.nullable().meta({ description: '整理到选定结果为止，最多 10 分钟' }),
  })
  .meta({ id: 'OwnDispositionSettings' });

export type OwnSettings = z.output<typeof ownSettings>;

/** Settings that hold. */
export const dispositionSettings = z.object(settings).meta({ id: 'DispositionSettings' });

export type DispositionSettings = z.output<typeof dispositionSettings>;

/** Source: D12.9 */
export const dispositionState = z
  .object({
    campaignId: rowId.nullable(),
    businessCode: z.string(),
    own: ownSettings,
    inherited: dispositionSettings.meta({ description: '没有自己的设置时生效的设置' }),
    effective: dispositionSettings,
    version: z.int().nonnegative().meta({ description: '自己的设置的版本；没有为 0' }),
  })
  .meta({ id: 'DispositionState' });

export type DispositionState = z.output<typeof dispositionState>;

/** Absent members are inherited, like null ones. */
export const settingsChange = ownSettings.partial().extend({
  version: z.int().nonnegative().max(MAX_INT4).optional().meta({ description: '修改所依据的版本；已被他人修改时拒绝' }),
});

export type SettingsChange = z.output<typeof settingsChange>;

const MAX_NOTE_LENGTH = 2_000;
const MAX_FIELDS_LENGTH = 16_384;

/** Values of result fields by their keys. */
const fieldValues = boundedJson(
  z.record(z.string().max(MAX_CODE_LENGTH * 2), z.union([z.string().max(MAX_NOTE_LENGTH), z.number(), z.boolean(), z.null()])),
  MAX_FIELDS_LENGTH,
);

/** A disposition as an agent enters it. */
export const newDisposition = z.object({
  code: listCode,
  note: z.string().trim().max(MAX_NOTE_LENGTH).nullish(),
  fields: fieldValues.nullish().meta({ description: '手工填写的结果字段；话术的字段按其类型检查' }),
  callback: newCallback.omit({ agentId: true }).nullish().meta({ description: '同时约定由该坐席本人回访' }),
  doNotCall: z.boolean().nullish().meta({ description: '同时将号码加入勿扰名单' }),
});

/** The data that a form for a disposition needs. */
export const dispositionForm = z
  .object({
    requestId: z.string(),
    attemptId: bigRowId.nullable(),
    campaignId: rowId.nullable(),
    contactId: bigRowId.nullable(),
    choices: z.array(disposition),
    fields: z.array(resultField).meta({ description: '话术收集的字段' }),
    saved: callDisposition.nullable().meta({ description: '已保存的结果' }),
  })
  .meta({ id: 'DispositionForm' });

/** How often agents chose a disposition. */
export const dispositionCount = z
  .object({
    campaignId: rowId.nullable(),
    agentId: rowId.nullable(),
    code: z.string(),
    label: z.string(),
    category: z.enum(DISPOSITION_CATEGORIES),
    count: z.int().nonnegative(),
  })
  .meta({ id: 'DispositionCount' });

export type DispositionCount = z.output<typeof dispositionCount>;
