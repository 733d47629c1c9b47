import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '#compose/command.ts';
import { EXAMPLE_TYPES_FILE, renderExampleTypes } from './example-types.ts';
import { GRAPHQL_TYPES_FILE, renderGraphqlTypes } from './graphql-types.ts';
import { PROJECT } from './project.ts';
import { tell } from './run-tool.ts';

/** `npm run generate`: writes the code that is made from the GraphQL schema. */
export const generate: Command = async () => {
  await writeFile(join(PROJECT, GRAPHQL_TYPES_FILE), await renderGraphqlTypes());
  await writeFile(join(PROJECT, EXAMPLE_TYPES_FILE), await renderExampleTypes());
  tell(`callout: ${GRAPHQL_TYPES_FILE} and ${EXAMPLE_TYPES_FILE} are made from schema/`);
  return 0;
};
