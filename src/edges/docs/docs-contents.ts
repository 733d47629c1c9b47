import { asyncApiDocument } from '#contract/nats/asyncapi.ts';
import type { RouteContract } from '#contract/rest/route.ts';
import { graphqlPage } from './graphql-page.ts';
import { natsPage } from './nats-page.ts';
import { openApiDocument } from './openapi.ts';

/** The texts of the documentation, each built when it is first asked for. */
export interface DocsContents {
  openApi(): string;
  asyncApi(): string;
  natsPage(): string;
  graphqlPage(): string;
}

/** `schemaTexts` are the files of the GraphQL schema. */
export function docsContents(
  routes: readonly RouteContract[],
  { version, schemaTexts }: { version: string; schemaTexts: readonly string[] },
): DocsContents {
  const bus = once(() => asyncApiDocument(version));
  return {
    openApi: once(() => JSON.stringify(openApiDocument(routes, version))),
    asyncApi: once(() => JSON.stringify(bus())),
    natsPage: once(() => natsPage(bus())),
    graphqlPage: once(() => graphqlPage(schemaTexts)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
