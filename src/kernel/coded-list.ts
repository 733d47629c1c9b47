import { z } from 'zod';
import { issue } from './problem.ts';

export const MAX_CODE_LENGTH = 32;
export const MAX_LABEL_LENGTH = 64;

/** Names a row of a list in statistics and exports, so it is meant to stay when the label changes. */
export const listCode = z
  .string()
  .trim()
  .max(MAX_CODE_LENGTH, { abort: true })
  .regex(/^[A-Za-z0-9_-]+$/, issue('identifier', { max: MAX_CODE_LENGTH }));

/** A list in which no code stands twice; the second one is named. */
export function codedList<Row extends z.ZodType<{ code: string }>>(row: Row, maxRows: number) {
  return z
    .array(row)
    .max(maxRows)
    .superRefine((rows, context) => {
      const known = new Set<string>();
      for (const [place, { code }] of rows.entries()) {
        if (known.has(code)) context.addIssue({ code: 'custom', path: [place, 'code'], message: issue('repeated') });
        known.add(code);
      }
    });
}
