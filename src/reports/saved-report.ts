import { z } from 'zod';
import { flag, requiredText, rowId, stamps } from '#kernel/fields.ts';

const MAX_NAME_LENGTH = 64;
const MAX_QUESTION_LENGTH = 4_000;

const kept = {
  name: requiredText(MAX_NAME_LENGTH),
  question: requiredText(MAX_QUESTION_LENGTH).meta({
    description: '报表页面的查询参数，例如 span=yesterday&m=dials,answer_rate&by=hour_of_day',
  }),
  isShared: flag,
};

/** A question about calls that somebody keeps by a name. Source: D14.7 */
export const savedReport = z.object({ id: rowId, ...kept, createdBy: rowId.nullable(), ...stamps }).meta({ id: 'SavedReport' });

export type SavedReport = z.output<typeof savedReport>;

export const newSavedReport = z
  .object({ ...kept, isShared: flag.nullish().meta({ description: '1 所有人可见；0 仅自己可见' }) })
  .meta({ id: 'NewSavedReport' });

export type NewSavedReport = z.output<typeof newSavedReport>;

/** Absent members stay. */
export const savedReportChanges = newSavedReport.partial().meta({ id: 'SavedReportChanges' });

export type SavedReportChanges = z.output<typeof savedReportChanges>;
