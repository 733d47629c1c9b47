import { z } from 'zod';
import { MAX_INT4 } from '#kernel/fields.ts';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;
export const MAX_SEARCH_LENGTH = 200;

/** Longer than any real count: a number that is too large is clamped or refused for its size, and not reported as a non-integer. */
const INTEGER_TEXT = /^[+-]?\d{1,30}$/;
const MAX_INTEGER_LENGTH = 31;

const numberText = (message: string) =>
  z
    .string()
    .max(MAX_INTEGER_LENGTH, { message, abort: true })
    .refine(text => INTEGER_TEXT.test(text), { message, abort: true });

/** Clamps to the largest integers that a number represents exactly. */
function toNumber(text: string): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}

/** An integer in a query or path, where every value is text. */
export function integerText(bounds: { min?: number; max?: number } = {}) {
  let number = z.int();
  if (bounds.min !== undefined) number = number.min(bounds.min);
  if (bounds.max !== undefined) number = number.max(bounds.max);
  return numberText('必须是整数').transform(toNumber).pipe(number);
}

/** Clamps an id that is too large to one beyond the largest: clamped to the largest, it could match a row. */
const idText = (max: number, id: z.ZodInt) =>
  numberText('必须是正整数')
    .refine(text => Number(text) > 0, { message: '必须是正整数', abort: true })
    .transform(text => Math.min(Number(text), max + 1))
    .pipe(id);

/** An id in a query. */
export const idText4 = idText(MAX_INT4, z.int().max(MAX_INT4));
export const idText8 = idText(Number.MAX_SAFE_INTEGER, z.int());

/** An optional text filter of a list, trimmed. */
export const textFilter = (maxLength: number) => z.string().trim().max(maxLength).optional();

/** A yes/no filter of a list. */
export const flagFilter = z
  .enum(['0', '1'])
  .transform(flag => flag === '1')
  .optional();

/** Path `/:id`; the router answers 404 for an id that no row can have. */
export const idParam = z.object({ id: idText4 });
/** Path `/:id` of contacts, attempts, batches and log rows. */
export const bigIdParam = z.object({ id: idText8 });

const pageFields = {
  page: integerText({ min: 1 }).optional().default(1).meta({ description: '页码，从 1 起，默认 1' }),
  pageSize: numberText('必须是整数')
    .transform(text => Math.min(toNumber(text), MAX_PAGE_SIZE))
    .pipe(z.int().min(1))
    .optional()
    .default(DEFAULT_PAGE_SIZE)
    .meta({ description: `每页行数，默认 ${DEFAULT_PAGE_SIZE}，超过 ${MAX_PAGE_SIZE} 按 ${MAX_PAGE_SIZE}` }),
};

/** Source: OCS 2.2, D2.4 */
export const pageQuery = z.object(pageFields);

/** An empty or blank `q` means no search. */
export const searchText = z
  .string()
  .max(MAX_SEARCH_LENGTH)
  .transform(text => text.trim())
  .optional()
  .default('');

/** Source: OCS 2.2 */
export const pageSearchQuery = z.object({ ...pageFields, q: searchText });

/** One page of a list. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    rows: z.array(row),
    page: z.int().positive(),
    pageSize: z.int().positive().max(MAX_PAGE_SIZE),
    total: z.int().nonnegative(),
  });
}

/** An instant in a response: ISO 8601 UTC with milliseconds (D2.5). */
export const isoInstant = z.iso.datetime({ precision: 3 });
