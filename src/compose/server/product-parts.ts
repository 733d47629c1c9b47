import { seedBusinesses } from '#operations/businesses/seed-businesses.ts';
import type { CellState } from '#ports/switch.ts';
import type { ServerContext, ServerPart } from './context.ts';
import { runEngine } from './engine-part.ts';
import { graphqlPart } from './graphql-part.ts';
import { handlersPart } from './handlers-part.ts';
import { composeProduct } from './product.ts';
import { sampleMetrics } from './sample-metrics.ts';

/** The parts that make the product, each composed in a file of its own; `cells` for the health page. */
export async function productParts(context: ServerContext): Promise<{ parts: ServerPart[]; cells: () => readonly CellState[] }> {
  const product = composeProduct(context);
  await seedBusinesses(product, context.config.businesses);
  await runEngine(context, product);
  sampleMetrics(context, product);
  return { parts: [await handlersPart(context, product), graphqlPart(context, product)], cells: () => product.switchPort.cells() };
}
