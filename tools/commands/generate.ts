import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '#platform/process.ts';
import { EXAMPLE_TYPES_FILE, renderExampleTypes } from './example-types.ts';
import { writeGraphqlTypes } from './graphql-types.ts';
import { PROJECT } from './project.ts';
import { print } from './run-tool.ts';

/** `npm run generate`: writes the code that is generated from the GraphQL schema. */
export const generate: Command = async () => {
  await writeGraphqlTypes();
  await writeFile(join(PROJECT, EXAMPLE_TYPES_FILE), await renderExampleTypes());
  print(`callout: the types of resolvers and ${EXAMPLE_TYPES_FILE} are made from schema/`);
  return 0;
};
