import type { z } from 'zod';
import type { RouteContract } from '#contract/rest/route.ts';
import type { Caller } from '#operations/access/caller.ts';

/** What a handler gets: everything validated against the route's contract. */
export interface RestRequest<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  caller: Caller;
}

/** A route with the function that answers it; the router mounts these and nothing else. */
export interface RestHandler {
  route: RouteContract;
  /** Resolves to the envelope's `data`. */
  handle(request: RestRequest<unknown, unknown, unknown>): Promise<unknown>;
}

/** Joins a contract with its handler so that the handler's types come from the contract. */
export function handler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  route: RouteContract<P, Q, B, D>,
  handle: (request: RestRequest<z.output<P>, z.output<Q>, z.output<B>>) => Promise<z.input<D>>,
): RestHandler {
  // The router parses params, query and body with this very contract before it calls.
  return { route, handle: handle as RestHandler['handle'] };
}
