import { asyncApiDocument } from '#protocol/asyncapi.ts';
import type { RouteContract } from '../http/route.ts';
import { natsPage } from './nats-page.ts';
import { openApiDocument, type OutgoingMessages } from './openapi.ts';

/** Texts of the documentation, each built at its first request. */
export interface DocsContents {
  openApi(): string;
  asyncApi(): string;
  natsPage(): string;
}

export function docsContents(routes: readonly RouteContract[], version: string, messages: OutgoingMessages): DocsContents {
  const bus = once(() => asyncApiDocument(version));
  return {
    openApi: once(() => openApiText(routes, version, messages)),
    asyncApi: once(() => JSON.stringify(bus())),
    natsPage: once(() => natsPage(bus())),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Newest document of this process, with what it was made from. */
let newest: { routes: readonly RouteContract[]; version: string; text: string } | undefined;

/** Makes the document once for several servers of a process that mount the same contracts: it takes half a second of processor time. */
function openApiText(routes: readonly RouteContract[], version: string, messages: OutgoingMessages): string {
  if (newest?.version === version && areSame(newest.routes, routes)) return newest.text;
  const text = JSON.stringify(openApiDocument(routes, version, messages));
  newest = { routes, version, text };
  return text;
}

function areSame(some: readonly RouteContract[], others: readonly RouteContract[]): boolean {
  return some.length === others.length && some.every((route, index) => route === others[index]);
}
