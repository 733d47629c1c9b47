import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import type { RouteAccess } from '#kernel/caller.ts';
import { MAX_INT4 } from '#kernel/fields.ts';

/** Source: OCS 2.1 */
interface Envelope<Data> {
  code: string;
  data: Data;
  msg: string;
}

const SUCCESS_CODE = '0000';

/** Source: D2.1, D2.3 */
export function success<Data>(data: Data): Envelope<Data> {
  return { code: SUCCESS_CODE, data, msg: 'ok' };
}

/**
 * Failure envelope: extends OCS 2.1 by `msgKey`, which names the cause for programs and translations; `msg` is Chinese text for readers.
 */
export interface Failure extends Envelope<null> {
  msgKey: string;
}

/** Units: `status` HTTP status */
export function failure(status: number, msg: string, msgKey: string): Failure {
  return { code: String(status), data: null, msg, msgKey };
}

export function envelopeOf<Data extends z.ZodType>(data: Data) {
  return z.object({ code: z.literal(SUCCESS_CODE), data, msg: z.string() });
}

const msgKey = z.string().meta({ description: '失败原因的代号，供程序判断与翻译，例如 CAMPAIGN_RUNNING' });

/** Like `envelopeOf`, for a failure that carries data. */
export function failedEnvelopeOf<Data extends z.ZodType>(status: number, data: Data) {
  return z.object({ code: z.literal(String(status)), data, msg: z.string(), msgKey });
}

/** Includes `error` where OCS 4.8 rule 1 requires it (D7.5). */
export const failureEnvelope = z.object({
  code: z.string(),
  data: z.null(),
  msg: z.string(),
  msgKey,
  error: z.string().optional(),
});

const DEFAULT_PAGE_SIZE = 50;
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
  return numberText(issue('integer')).transform(toNumber).pipe(number);
}

/** Clamps an id that is too large to one beyond the largest: clamped to the largest, it could match a row. */
const idText = (max: number, id: z.ZodInt) =>
  numberText(issue('positiveInteger'))
    .refine(text => Number(text) > 0, { message: issue('positiveInteger'), abort: true })
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
  pageSize: numberText(issue('integer'))
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

/** `data` is the envelope's payload. */
interface RouteShapes<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Data extends z.ZodType> {
  params?: Params;
  query?: Query;
  body?: Body;
  data: Data;
  /** Largest JSON body, in bytes; 2 MiB when absent (D2.2). */
  bodyLimit?: number;
  /** The response is an event stream: no envelope, and `?access_token=` is accepted (D3.5). */
  stream?: boolean;
  /** The response is a file of this type: no envelope, and `data` is never. */
  media?: string;
  /** Meaning of further statuses, in Chinese: 206 has a part of the file, 304 and 416 no body, 503 the data of 200 with its own code. */
  also?: Partial<Record<206 | 304 | 416 | 503, string>>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RouteContract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> extends RouteShapes<Params, Query, Body, Data> {
  method: Method;
  path: string;
  access: RouteAccess;
  /** Chinese one-line summary for the API page. */
  summary: string;
}

/**
 * One row of OCS section 4; validation, types and the OpenAPI document are derived from its shapes.
 *
 * Shape: `line` is a method and a path in Express form, `GET /api/campaigns/:id`
 */
export function route<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Data extends z.ZodType>(
  line: `${Method} ${string}`,
  access: RouteAccess,
  summary: string,
  shapes: RouteShapes<Params, Query, Body, Data>,
): RouteContract<Params, Query, Body, Data> {
  const [method, path] = line.split(' ', 2) as [Method, string];
  return { method, path, access, summary, ...shapes };
}
