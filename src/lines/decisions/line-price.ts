import { z } from 'zod';
import { instant, instantText, rowId } from '#kernel/fields.ts';
import { issue } from '#kernel/problem.ts';

/** Highest price of a minute or a connection. */
const MAX_PRICE = 100_000;
const MAX_UNIT_SECONDS = 3_600;
/** Most prices that a line has had. */
export const MAX_PRICES = 500;

const price = z.number().min(0).max(MAX_PRICE);

/**
 * What a call over a line costs from some instant on: the fee of the connection, and each started unit at its share of a minute's price.
 *
 * Source: D14.10
 */
export const linePrice = z
  .object({
    id: rowId,
    lineId: rowId,
    currency: z.string().meta({ description: '货币，ISO 4217 三个字母' }),
    perMinute: z.number().meta({ description: '每分钟的价格' }),
    unitSeconds: z.int().meta({ description: '计费单位的秒数，不足一个单位按一个计' }),
    connectionFee: z.number().meta({ description: '每次接通的固定费用' }),
    validFrom: instant.meta({ description: '从此时起开始的通话按此计费' }),
    validTo: instant.nullable().meta({ description: '下一个价格的开始；空：没有下一个' }),
    createdAt: instant,
  })
  .meta({ id: 'LinePrice' });

export type LinePrice = z.output<typeof linePrice>;

export const linePriceTerms = z.object({
  currency: z
    .string()
    .trim()
    .max(3)
    .regex(/^[A-Z]{3}$/, issue('currencyCode')),
  perMinute: price,
  unitSeconds: z.int().min(1).max(MAX_UNIT_SECONDS).optional().default(60),
  connectionFee: price.optional().default(0),
});

export const linePriceInput = linePriceTerms.extend({
  validFrom: instantText.optional().meta({ description: '缺省为现在；早于现在时，其间的通话按此重新计费；已有同一时刻的价格被替换' }),
});

/** A price to be set; without `validFrom` (UTC ms) it begins now. */
export type NewLinePrice = z.output<typeof linePriceTerms> & { validFrom?: number | undefined };
