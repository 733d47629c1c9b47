import { asyncApiDocument } from '#protocol/asyncapi.ts';
import type { RouteContract } from '../http/route.ts';
import { natsPage } from './nats-page.ts';
import { openApiDocument } from './openapi.ts';

/** Texts of the documentation, each built at its first request. */
export interface DocsContents {
  openApi(): string;
  asyncApi(): string;
  natsPage(): string;
}

export function docsContents(routes: readonly RouteContract[], version: string): DocsContents {
  const bus = once(() => asyncApiDocument(version));
  return {
    openApi: once(() => JSON.stringify(openApiDocument(routes, version))),
    asyncApi: once(() => JSON.stringify(bus())),
    natsPage: once(() => natsPage(bus())),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
