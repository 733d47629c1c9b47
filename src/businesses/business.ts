import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { flag, optionalText, requiredText, rowId, stamps } from '#kernel/fields.ts';

/** A business line that campaigns and scripts belong to: of the configuration, or made by people. Source: OCS 2.11, D1.3 */
export const business = z
  .object({
    id: rowId,
    businessCode: z.string(),
    businessName: z.string(),
    isEnabled: flag,
    remark: z.string(),
    runtimeBringsFlow: flag,
    isConfigured: flag.meta({ description: '由服务器配置维护，不能通过接口修改' }),
    ...stamps,
  })
  .meta({ id: 'Business' });

export type Business = z.output<typeof business>;

const MAX_NAME_LENGTH = 128;
const MAX_REMARK_LENGTH = 2_000;

/** The alphabet of codes: they stand in addresses, headers and files. */
const code = z
  .string()
  .trim()
  .max(64, { abort: true })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, issue('businessCode'));

const fields = {
  businessName: requiredText(MAX_NAME_LENGTH),
  isEnabled: flag,
  remark: optionalText(MAX_REMARK_LENGTH),
  runtimeBringsFlow: flag,
};

/** A business that somebody makes; its code never changes, because campaigns and scripts refer to it. */
export const newBusiness = z
  .object({
    businessCode: code,
    ...fields,
    isEnabled: flag.optional().default(true),
    runtimeBringsFlow: flag.optional().default(false),
  })
  .meta({ id: 'NewBusiness' });

export type NewBusiness = z.output<typeof newBusiness>;

export const businessChanges = z
  .object({ ...fields, remark: z.string().trim().max(MAX_REMARK_LENGTH) })
  .partial()
  .meta({ id: 'BusinessChanges' });

export type BusinessChanges = z.output<typeof businessChanges>;
