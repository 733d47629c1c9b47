import { z } from 'zod';
import { resultFieldValue } from '#attempts/attempt.ts';
import { bigRowId, boundedJson, instant, requiredText, rowId } from '#kernel/fields.ts';

const MAX_REASON_LENGTH = 500;
/** The bound of a reported class or intent. */
const MAX_WORD_LENGTH = 128;
const MAX_KEY_LENGTH = 64;
const MAX_FIELDS_LENGTH = 16_384;

const word = z.string().trim().min(1).max(MAX_WORD_LENGTH).nullish();

/** A person's words in place of a reported result; absent members stay as they are, null means that there is none. */
export const resultCorrection = z.object({
  reason: requiredText(MAX_REASON_LENGTH).meta({ description: '更正的理由，记入审计' }),
  classification: word.meta({ description: '分类；null 表示没有' }),
  intent: word.meta({ description: '意图；null 表示没有' }),
  fields: boundedJson(z.record(z.string().max(MAX_KEY_LENGTH), resultFieldValue.nullable()), MAX_FIELDS_LENGTH)
    .nullish()
    .meta({ description: '结果字段的值，按话术声明的类型；null 表示没有。与上报的相同即撤回更正' }),
});

export type ResultCorrection = z.output<typeof resultCorrection>;

/** What the member of a changed field begins with; its key follows. */
export const FIELD_MEMBER = 'fields.';

/** A value before and after a correction; `member` is `classification`, `intent` or `fields.<key>`. */
const resultChange = z.object({
  member: z.string(),
  before: resultFieldValue.nullable(),
  after: resultFieldValue.nullable(),
});

export type ResultChange = z.output<typeof resultChange>;

/** A correction that was made. Source: D7.17 */
export const madeCorrection = z
  .object({
    id: bigRowId,
    attemptId: bigRowId,
    userId: rowId.nullable(),
    reason: z.string(),
    changes: z.array(resultChange),
    createdAt: instant,
  })
  .meta({ id: 'ResultCorrection' });

export type MadeCorrection = z.output<typeof madeCorrection>;
