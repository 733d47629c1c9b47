import { z } from 'zod';
import { flag01, flagInput, idParam, requiredText, rowId, stamps } from './fields.ts';
import { route } from './route.ts';

export const ALLOCATION_MODES = ['single_shared', 'number_pool', 'bound_numbers'] as const;
export const CALLER_ID_HEADER_MODES = ['caller_id_only', 'p_preferred_identity', 'from_and_p_preferred_identity'] as const;

/** Stands where the number to call goes. Source: OCS 2.5 */
export const DESTINATION_PLACEHOLDER = '{{destinationNumber}}';
const MAX_NAME_LENGTH = 128;
const MAX_CODE_LENGTH = 64;
const MAX_TEMPLATE_LENGTH = 1_000;
const MAX_NUMBER_LENGTH = 32;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_LINE_CONCURRENCY = 100_000;
const MAX_LINE_NUMBERS = 1_000;
const MAX_WEIGHT = 1_000;

/** Text that goes into a command of the switch: no control characters. */
const PRINTABLE = /^[^\p{Cc}\u2028\u2029]*$/u;
const printable = (maxLength: number) => z.string().trim().max(maxLength).regex(PRINTABLE, '不能含有控制字符');

/** Null and empty mean none. */
const optionalPrintable = (maxLength: number) =>
  printable(maxLength)
    .transform(text => (text === '' ? null : text))
    .nullable();

const dialStringTemplate = printable(MAX_TEMPLATE_LENGTH)
  .min(1)
  .refine(text => text.split(DESTINATION_PLACEHOLDER).length === 2, `必须恰好包含一次 ${DESTINATION_PLACEHOLDER}`);

const concurrency = z.int().min(1).max(MAX_LINE_CONCURRENCY);

/** Defaults of a number that leaves a member out. Source: D4.1 */
const numberInput = z.object({
  number: printable(MAX_NUMBER_LENGTH).min(1),
  weight: z.int().min(1).max(MAX_WEIGHT).optional().default(1),
  maxConcurrency: concurrency.optional().default(1),
  isEnabled: flagInput.optional().default(true),
});

/** Source: OCS 2.5, D4.1 */
const lineFields = {
  name: requiredText(MAX_NAME_LENGTH),
  code: printable(MAX_CODE_LENGTH).min(1),
  dialStringTemplate,
  callerIdNumber: optionalPrintable(MAX_NUMBER_LENGTH).optional(),
  callerIdName: optionalPrintable(MAX_NAME_LENGTH).optional(),
  maxConcurrency: concurrency,
  allocationMode: z.enum(ALLOCATION_MODES),
  callerIdHeaderMode: z.enum(CALLER_ID_HEADER_MODES).optional(),
  numbers: z.array(numberInput).max(MAX_LINE_NUMBERS).optional(),
  isEnabled: flagInput.optional(),
  description: z.string().trim().max(MAX_DESCRIPTION_LENGTH).optional(),
};

const numberRow = z.object({ id: rowId, number: z.string(), weight: z.int(), maxConcurrency: z.int(), isEnabled: flag01 });

export const lineRow = z
  .object({
    id: rowId,
    name: z.string(),
    code: z.string(),
    dialStringTemplate: z.string(),
    callerIdNumber: z.string().nullable(),
    callerIdName: z.string().nullable(),
    maxConcurrency: z.int(),
    allocationMode: z.enum(ALLOCATION_MODES),
    callerIdHeaderMode: z.enum(CALLER_ID_HEADER_MODES),
    isEnabled: flag01,
    description: z.string(),
    numbers: z.array(numberRow),
    ...stamps,
  })
  .meta({ id: 'Line' });

export type LineRow = z.input<typeof lineRow>;

const oneLine = z.object({ line: lineRow });

export const listLinesRoute = route({
  method: 'GET',
  path: '/api/lines',
  access: 'session',
  summary: '外呼线路列表',
  data: z.object({ rows: z.array(lineRow), total: z.int().nonnegative() }),
});

export const createLineRoute = route({
  method: 'POST',
  path: '/api/lines',
  access: 'line:write',
  summary: '新建外呼线路',
  body: z.object(lineFields),
  data: oneLine,
});

/** Any subset; `numbers` replaces the pool. Source: D4.2 */
export const updateLineRoute = route({
  method: 'PATCH',
  path: '/api/lines/:id',
  access: 'line:write',
  summary: '修改外呼线路',
  params: idParam,
  body: z.object(lineFields).partial(),
  data: oneLine,
});

export const deleteLineRoute = route({
  method: 'DELETE',
  path: '/api/lines/:id',
  access: 'line:write',
  summary: '删除没有被引用的外呼线路',
  params: idParam,
  data: oneLine,
});
