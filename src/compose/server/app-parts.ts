import { seedBusinesses } from '#management/businesses.ts';
import { checkRuntimes } from '#operations/runtimes/survey-runtimes.ts';
import type { HealthProbes } from '#operations/health/check-health.ts';
import type { CellState } from '#ports/switch.ts';
import type { ServerContext, ServerPart } from './context.ts';
import { conferenceDeps, conferencePart } from './conference-part.ts';
import { runEngine } from './engine-part.ts';
import { composeFeeds, type Feeds } from './feeds.ts';
import { graphqlPart } from './graphql-part.ts';
import { handlersPart } from './handlers-part.ts';
import { composeApp } from './app.ts';
import { sampleMetrics } from './sample-metrics.ts';

/** What the health page shows of the product. */
export interface AppState {
  cells: () => readonly CellState[];
  live: Feeds['liveCallsFeed']['state'];
  runtimes: HealthProbes['runtimes'];
}

/** The parts that make the product, each composed in a file of its own. */
export async function appParts(context: ServerContext): Promise<{ parts: ServerPart[]; state: AppState }> {
  const app = composeApp(context);
  await seedBusinesses(context.database, context.config.businesses);
  await runEngine(context, app);
  sampleMetrics(context, app.dialling);
  const conferences = conferenceDeps(context, app);
  const feeds = await composeFeeds(context, app, conferences);
  const parts = [
    handlersPart(context, app, feeds),
    conferencePart(context, conferences, feeds),
    graphqlPart(context, app, { ...feeds, conferences }),
  ];
  const state = {
    cells: () => app.ground.switchPort.cells(),
    live: () => feeds.liveCallsFeed.state(),
    runtimes: () => checkRuntimes(app.dialling),
  };
  return { parts, state };
}
