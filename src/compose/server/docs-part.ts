import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asyncApiDocument } from '#contract/nats/asyncapi.ts';
import type { RouteContract } from '#contract/rest/route.ts';
import { docsPages } from '#edges/docs/docs-pages.ts';
import { openApiDocument } from '#edges/docs/openapi.ts';
import type { ServerPart } from './context.ts';
import packageJson from '../../../package.json' with { type: 'json' };

/** `/docs`, `/docs/nats`, `/openapi.json` and `/asyncapi.json`; `routes` are the contracts of what is mounted. */
export function docsPart(routes: readonly RouteContract[]): ServerPart {
  const { version } = packageJson;
  return {
    mount: docsPages({
      openApi: () => openApiDocument(routes, version),
      asyncApi: () => asyncApiDocument(version),
      assetFolder: dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))),
    }),
  };
}
