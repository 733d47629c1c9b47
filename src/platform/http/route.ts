import type { z } from 'zod';
import type { RouteAccess } from '#kernel/caller.ts';

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

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

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
