import { seedBusinesses } from '#management/businesses.ts';
import { checkRuntimes } from '#operations/runtimes/survey-runtimes.ts';
import type { HealthProbes } from '#ports/health-probes.ts';
import type { CellState } from '#ports/switch.ts';
import type { ServerContext, ServerPart } from './context.ts';
import { conferenceDeps, conferencePart } from './conference-part.ts';
import { runEngine } from './engine-part.ts';
import { composeFeeds, type Feeds } from './feeds.ts';
import { graphqlPart } from './graphql-part.ts';
import { handlersPart } from './handlers-part.ts';
import { composeProduct } from './product.ts';
import { sampleMetrics } from './sample-metrics.ts';

/** What the health page tells of the product. */
export interface ProductState {
  cells: () => readonly CellState[];
  live: Feeds['liveCallsFeed']['state'];
  runtimes: HealthProbes['runtimes'];
}

/** The parts that make the product, each composed in a file of its own. */
export async function productParts(context: ServerContext): Promise<{ parts: ServerPart[]; state: ProductState }> {
  const product = composeProduct(context);
  await seedBusinesses(context.database, context.config.businesses);
  await runEngine(context, product);
  sampleMetrics(context, product);
  const conferences = conferenceDeps(context, product);
  const feeds = await composeFeeds(context, product, conferences);
  const parts = [
    handlersPart(context, product, feeds),
    conferencePart(context, conferences),
    graphqlPart(context, product, { ...feeds, conferences }),
  ];
  const state = {
    cells: () => product.switchPort.cells(),
    live: () => feeds.liveCallsFeed.state(),
    runtimes: () => checkRuntimes(product),
  };
  return { parts, state };
}
