import type { z } from 'zod';
import type { Permission } from '#rules/permissions.ts';

/** Who may call: nobody's token, any session, the internal token, or a permission of the matrix (OCS 2.3, 5). */
export type RouteAccess = 'public' | 'session' | 'internal' | Permission;

/** `data` is the envelope's payload. */
interface RouteShapes<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Data extends z.ZodType> {
  params?: Params;
  query?: Query;
  body?: Body;
  data: Data;
  /** Largest JSON body, bytes; D2.2's 2 MiB when absent. */
  bodyLimit?: number;
  /** An event stream: `?access_token=` is accepted (D3.5) and the answer is not enveloped. */
  stream?: boolean;
  /** A file of this type: the answer is not enveloped, and `data` is never. */
  media?: string;
  /** What its own other statuses mean, in Chinese: 206 has a part of the file, 304 and 416 no body, 503 the data of 200 beside its code. */
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
  /** Chinese, one line, for the API page. */
  summary: string;
}

/**
 * One row of OCS section 4: the shapes live here once and give validation, types and the OpenAPI document.
 *
 * Shape: `line` is `GET /api/campaigns/:id`, the path in Express form
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
