import { z } from 'zod';
import { destinationNumber } from '#rules/phone-number.ts';
import { idParam, isoInstant, pageOf, pageSearchQuery, stamps } from './fields.ts';
import { rowId } from '#model/fields.ts';
import { instantText } from './instant.ts';
import { route } from './route.ts';

/** Characters of a number as it is typed, separators included. */
const MAX_NUMBER_LENGTH = 64;
const MAX_REASON_LENGTH = 500;

/** Source: D8.7 */
export const doNotCallRow = z
  .object({
    id: rowId,
    phoneNumber: z.string(),
    reason: z.string(),
    source: z.enum(['manual', 'callback', 'import']),
    expiresAt: isoInstant.nullable(),
    createdBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'DoNotCallEntry' });

const addBody = z.object({
  phoneNumber: z
    .string()
    .trim()
    .min(1)
    .max(MAX_NUMBER_LENGTH)
    .refine(text => text === '' || destinationNumber(text) !== null, '不是可以拨打的号码'),
  reason: z.string().trim().max(MAX_REASON_LENGTH).nullish(),
  /** Null or empty: permanent (OCS 2.10). */
  expiresAt: z.union([z.literal(''), instantText]).nullish(),
});

export const listDoNotCallRoute = route({
  method: 'GET',
  path: '/api/dnc',
  access: 'session',
  summary: '免打扰名单',
  query: pageSearchQuery,
  data: pageOf(doNotCallRow),
});

export const addDoNotCallRoute = route({
  method: 'POST',
  path: '/api/dnc',
  access: 'compliance:write',
  summary: '加入免打扰名单；已在名单中的号码更新其条目',
  body: addBody,
  data: z.object({ entry: doNotCallRow }),
});

export const removeDoNotCallRoute = route({
  method: 'DELETE',
  path: '/api/dnc/:id',
  access: 'compliance:write',
  summary: '移出免打扰名单',
  params: idParam,
  data: z.object({ entry: doNotCallRow }),
});
