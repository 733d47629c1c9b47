import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Sql } from '#platform/postgres/database.ts';
import type { Words } from './export.ts';

/** A field of the result that scripts declare. */
export const resultField = z.object({ key: z.string(), label: z.string(), type: z.string() });

export type ResultField = z.output<typeof resultField>;

/** SQL of the values of the call with alias `a`, and of the latest ones of the contact with alias `k`. */
export const CALL_RESULTS: RawBuilder<unknown> | undefined = undefined;
export const CONTACT_RESULTS: RawBuilder<unknown> | undefined = undefined;

export function resultTitle(label: string): Words {
  return [`结果：${label}`, `Result: ${label}`];
}

export function readResultFields(_app: { db: Sql }, _of: { campaignId: number | null }): Promise<ResultField[]> {
  return Promise.resolve([]);
}
