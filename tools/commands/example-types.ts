import { codegen } from '@graphql-codegen/core';
import * as typedDocuments from '@graphql-codegen/typed-document-node';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { readGraphqlFiles } from './graphql-types.ts';

const FOLDER = 'examples/dashboard-client';
/** File of the example's typed documents, relative to the project's folder. */
export const EXAMPLE_TYPES_FILE = `${FOLDER}/operations.generated.ts`;

const HEADER = `/* oxlint-disable */
// Made from schema/*.graphql and the example's documents by \`npm run generate\`; a test fails when it is out of date.
`;

/** Renders the documents of the example client with the types of their variables and results. */
export async function renderExampleTypes(): Promise<string> {
  const code = await codegen({
    filename: EXAMPLE_TYPES_FILE,
    schema: await readGraphqlFiles('schema'),
    documents: [{ location: FOLDER, document: await readGraphqlFiles(FOLDER) }],
    config: {
      scalars: { DateTime: 'string', JSON: 'unknown' },
      enumsAsTypes: true,
      useTypeImports: true,
      disableDescriptions: true,
      onlyOperationTypes: true,
    },
    plugins: [{ operations: {} }, { typedDocuments: {} }],
    pluginMap: { typescript, operations, typedDocuments },
  });
  return HEADER + code;
}
