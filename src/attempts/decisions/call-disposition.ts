import { z } from 'zod';
import { bigRowId, rowId, stamps } from '#kernel/fields.ts';

/** The category of a disposition, whatever its label: statistics across campaigns group by it. */
export const DISPOSITION_CATEGORIES = ['sale', 'reached', 'refused', 'not_reached', 'other'] as const;

/** A saved disposition with the label that the list had then. Source: D12.9 */
export const callDisposition = z
  .object({
    id: bigRowId,
    requestId: z.uuid(),
    attemptId: bigRowId.nullable(),
    softphoneCallId: bigRowId.nullable(),
    campaignId: rowId.nullable(),
    contactId: bigRowId.nullable(),
    agentId: rowId.nullable(),
    userId: rowId.nullable(),
    code: z.string(),
    label: z.string(),
    category: z.enum(DISPOSITION_CATEGORIES),
    note: z.string(),
    fields: z.record(z.string(), z.json()).meta({ description: '手工填写的结果字段' }),
    ...stamps,
  })
  .meta({ id: 'CallDisposition' });

export type CallDisposition = z.output<typeof callDisposition>;
