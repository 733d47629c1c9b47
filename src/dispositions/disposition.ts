import { z } from 'zod';
import { flag, requiredText, rowId } from '#kernel/fields.ts';
import { issue } from '#kernel/problem.ts';

/** What a disposition says of the call, whatever its words: what statistics of several campaigns are added up by. */
export const DISPOSITION_CATEGORIES = ['sale', 'reached', 'refused', 'not_reached', 'other'] as const;
export type DispositionCategory = (typeof DISPOSITION_CATEGORIES)[number];

const MAX_DISPOSITIONS = 50;
export const MAX_CODE_LENGTH = 32;
export const MAX_LABEL_LENGTH = 64;
const MAX_WRAP_UP_SECONDS = 3_600;

/** Names a row in statistics and exports, so it is meant to stay when the label changes. */
export const listCode = z
  .string()
  .trim()
  .max(MAX_CODE_LENGTH)
  .regex(/^[A-Za-z0-9_-]+$/, issue('identifier', { max: MAX_CODE_LENGTH }));

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

/** A list in which no code stands twice; the second one is named. */
const dispositionList = z
  .array(disposition)
  .max(MAX_DISPOSITIONS)
  .superRefine((rows, context) => {
    const known = new Set<string>();
    for (const [row, { code }] of rows.entries()) {
      if (known.has(code)) context.addIssue({ code: 'custom', path: [row, 'code'], message: issue('repeated') });
      known.add(code);
    }
  });

const settings = {
  dispositions: dispositionList,
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

/** What is absent is inherited, like what is null. */
export const settingsChange = ownSettings.partial().extend({
  version: z.int().nonnegative().optional().meta({ description: '修改所依据的版本；已被他人修改时拒绝' }),
});

export type SettingsChange = z.output<typeof settingsChange>;
