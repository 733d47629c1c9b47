import { seedBusinesses } from '#businesses/business-store.ts';
import { basePart } from './base-part.ts';
import type { ServerContext, ServerPart } from '#app/context.ts';
import { conferenceDeps } from '#app/conference-engine.ts';
import { conferencePart } from './conference-part.ts';
import { runEngine } from './engine-part.ts';
import { composeFeeds } from '#app/feeds.ts';
import { graphqlPart } from './graphql-part.ts';
import { handlersPart } from './handlers-part.ts';
import { composeApp } from '#app/app.ts';
import { sampleMetrics } from '#app/sample-metrics.ts';

/** The parts of the product, each composed in its own file. */
export async function appParts(context: ServerContext): Promise<ServerPart[]> {
  const app = composeApp(context);
  await seedBusinesses(context.database, context.config.businesses);
  await runEngine(context, app);
  sampleMetrics(context, app.dialling);
  const conferences = conferenceDeps(context, app);
  const { health, ...feeds } = await composeFeeds(context, app, conferences);
  return [
    basePart(context, health),
    handlersPart(context, app, feeds),
    conferencePart(context, conferences, feeds),
    graphqlPart(context, app, { ...feeds, health: health.watch, conferences }),
  ];
}
