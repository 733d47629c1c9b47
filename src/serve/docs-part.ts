import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RouteContract } from '#platform/http/route.ts';
import { docsPages } from '#platform/docs/docs-pages.ts';
import type { ServerPart } from '#app/context.ts';
import { messageShapes } from '#webhooks/decisions/event-catalogue.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** `/docs`, `/docs/nats`, the page of `/graphql`, `/openapi.json` and `/asyncapi.json`; `routes` are the contracts of the mounted routes. */
export function docsPart(routes: readonly RouteContract[], { showsSchema }: { showsSchema: boolean }): ServerPart {
  return {
    mount: docsPages({
      loadContents: async () => {
        const { docsContents } = await import('#platform/docs/docs-contents.ts');
        return docsContents(routes, packageJson.version, messageShapes());
      },
      loadGraphiql: () => import('#platform/docs/graphiql-page.ts'),
      showsSchema,
      assetFolder: dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))),
    }),
  };
}
