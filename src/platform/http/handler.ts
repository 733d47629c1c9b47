import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { RouteContract } from './route.ts';
import type { Caller } from '#kernel/caller.ts';

/** Input of a handler, validated against the route's contract. */
export interface RestRequest<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  caller: Caller;
  /** The bearer token as sent, for the access handlers; null when there is none. */
  token: string | null;
}

/** A route with its handler; the router mounts nothing else. */
export interface RestHandler {
  route: RouteContract;
  /** Resolves to the envelope's `data`. */
  handle(request: RestRequest<unknown, unknown, unknown>): Promise<unknown>;
}

/** Like `RestRequest`, for a handler that reads the body or writes the response itself: uploads, streams, conditional GETs. */
export interface RawRequest<Params, Query> {
  params: Params;
  query: Query;
  caller: Caller;
  request: IncomingMessage;
  response: ServerResponse;
  /** Aborts when the client disconnects, its session ends or the server drains. */
  signal: AbortSignal;
}

/** Result of a raw handler that has sent the response itself. */
export const ANSWERED = Symbol('answered');

export interface RawHandler {
  route: RouteContract;
  /** Resolves to the envelope's `data`, or to ANSWERED. */
  serve(request: RawRequest<unknown, unknown>): Promise<unknown>;
}

export type RouteHandler = RestHandler | RawHandler;

/** Joins a contract with its handler: the contract gives the types and encodes the result. */
export function handler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  route: RouteContract<P, Q, B, D>,
  handle: (request: RestRequest<z.output<P>, z.output<Q>, z.output<B>>) => Promise<z.output<D>>,
): RestHandler {
  return {
    route,
    // The router has parsed params, query and body with this same contract.
    handle: async request => z.encode(route.data, await handle(request as RestRequest<z.output<P>, z.output<Q>, z.output<B>>)),
  };
}

/** Like `handler`, for a raw handler; the contract's `body` is then only documentation. */
export function rawHandler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  route: RouteContract<P, Q, B, D>,
  serve: (request: RawRequest<z.output<P>, z.output<Q>>) => Promise<z.output<D> | typeof ANSWERED>,
): RawHandler {
  return {
    route,
    serve: async request => {
      const answer = await serve(request as RawRequest<z.output<P>, z.output<Q>>);
      return answer === ANSWERED ? ANSWERED : z.encode(route.data, answer);
    },
  };
}
