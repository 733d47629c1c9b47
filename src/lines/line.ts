import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { filledWith, flag, instant, requiredText, rowId, stamps } from '#kernel/fields.ts';
import { cap, NUMBER_RULE_DEFAULTS, numberRules, numberRulesInput } from './decisions/number-rules.ts';

export const ALLOCATION_MODES = ['single_shared', 'number_pool', 'bound_numbers'] as const;
export type AllocationMode = (typeof ALLOCATION_MODES)[number];
export const CALLER_ID_HEADER_MODES = ['caller_id_only', 'p_preferred_identity', 'from_and_p_preferred_identity'] as const;

/** Format in which a line dials numbers. */
export const NUMBER_FORMATS = ['national', 'national_with_trunk_elsewhere', 'e164', 'e164_without_plus'] as const;

/** Placeholder of the dial string for the number to call. Source: OCS 2.5 */
const DESTINATION_PLACEHOLDER = '{{destinationNumber}}';
const MAX_NAME_LENGTH = 128;
const MAX_CODE_LENGTH = 64;
const MAX_TEMPLATE_LENGTH = 1_000;
const MAX_NUMBER_LENGTH = 32;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_LINE_CONCURRENCY = 100_000;
const MAX_LINE_NUMBERS = 1_000;
const MAX_WEIGHT = 1_000;
const MAX_LOCAL_PREFIXES_LENGTH = 4_000;
const LOCAL_PREFIXES = /^(?:\d{1,10}(?:, ?\d{1,10})*)?$/;

/** A caller id number in a line's pool. */
export const lineNumber = z.object({
  id: rowId,
  number: z.string(),
  weight: z.int(),
  maxConcurrency: z.int(),
  isEnabled: flag,
  hourlyCap: cap.meta({ description: '该号码自己的每小时上限；空：按线路' }),
  dailyCap: cap.meta({ description: '该号码自己的每天上限；空：按线路' }),
  restingUntil: instant.nullable().meta({ description: '在此之前不用来外呼' }),
});

/** An outbound line: dial string, caller ids and concurrency limit. Source: OCS 2.5 */
export const line = z
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
    numberFormat: z.enum(NUMBER_FORMATS),
    /** Prefixes of numbers local to the line, without trunk prefix, separated by commas: `21,1381234`; '' = none. */
    localPrefixes: z.string(),
    numberRules,
    isEnabled: flag,
    description: z.string(),
    /** In rotation order. */
    numbers: z.array(lineNumber),
    ...stamps,
  })
  .meta({ id: 'Line' });

export type Line = z.output<typeof line>;

/** Text that is safe in a switch command: no control characters. */
const PRINTABLE = /^[^\p{Cc}\u2028\u2029]*$/u;
const printable = (maxLength: number) => z.string().trim().max(maxLength, { abort: true }).regex(PRINTABLE, issue('controlCharacters'));

/** Null and empty both mean none. */
const optionalPrintable = (maxLength: number) =>
  printable(maxLength)
    .transform(text => (text === '' ? null : text))
    .nullable();

const dialStringTemplate = printable(MAX_TEMPLATE_LENGTH)
  .min(1)
  .refine(text => text.split(DESTINATION_PLACEHOLDER).length === 2, issue('containsOnce', { text: DESTINATION_PLACEHOLDER }));

const concurrency = z.int().min(1).max(MAX_LINE_CONCURRENCY);

/** A pool number; the defaults apply to absent members. Source: D4.1 */
export const lineNumberInput = z.object({
  number: printable(MAX_NUMBER_LENGTH).min(1),
  weight: z.int().min(1).max(MAX_WEIGHT).optional().default(1),
  maxConcurrency: concurrency.optional().default(1),
  isEnabled: flag.optional().default(true),
  /** Null: that of the line's rules. */
  hourlyCap: cap.optional().default(null),
  dailyCap: cap.optional().default(null),
});

/** Source: OCS 2.5, D4.1 */
const lineInput = z.object({
  name: requiredText(MAX_NAME_LENGTH),
  code: printable(MAX_CODE_LENGTH).min(1),
  dialStringTemplate,
  callerIdNumber: optionalPrintable(MAX_NUMBER_LENGTH).optional(),
  callerIdName: optionalPrintable(MAX_NAME_LENGTH).optional(),
  maxConcurrency: concurrency,
  allocationMode: z.enum(ALLOCATION_MODES),
  callerIdHeaderMode: z.enum(CALLER_ID_HEADER_MODES).optional(),
  numberFormat: z.enum(NUMBER_FORMATS).optional(),
  localPrefixes: z.string().trim().max(MAX_LOCAL_PREFIXES_LENGTH, { abort: true }).regex(LOCAL_PREFIXES, issue('localPrefixes')).optional(),
  numberRules: numberRulesInput.optional(),
  numbers: z.array(lineNumberInput).max(MAX_LINE_NUMBERS).optional(),
  isEnabled: flag.optional(),
  description: z.string().trim().max(MAX_DESCRIPTION_LENGTH).optional(),
});

/** Source: D4.1 */
const LINE_DEFAULTS = {
  callerIdNumber: null,
  callerIdName: null,
  callerIdHeaderMode: 'caller_id_only' as const,
  numberFormat: 'national' as const,
  localPrefixes: '',
  numberRules: NUMBER_RULE_DEFAULTS,
  isEnabled: true,
  description: '',
  numbers: [],
};

export const newLine = lineInput.transform(filledWith(LINE_DEFAULTS));
/** Any subset of the fields; `numbers` replaces the whole pool. Source: D4.2 */
export const lineChanges = lineInput.partial();

export type LineFields = z.output<typeof newLine>;
export type LineChanges = z.output<typeof lineChanges>;
