import type { z } from 'zod';
import type { RouteContract } from '../http/route.ts';
import type { StreamExchange } from './stream.ts';

export interface StreamRequest<Params, Query> extends StreamExchange {
  params: Params;
  query: Query;
}

/** A route that answers with an event stream; the REST router mounts it like its own. */
export interface StreamHandler {
  route: RouteContract;
  /** Opens the stream and returns; earlier failures are enveloped as usual. */
  serve(request: StreamRequest<unknown, unknown>): Promise<void>;
}

export function streamHandler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  route: RouteContract<P, Q, B, D>,
  serve: (request: StreamRequest<z.output<P>, z.output<Q>>) => Promise<void>,
): StreamHandler {
  return { route: { ...route, stream: true }, serve };
}
