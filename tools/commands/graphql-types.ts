import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { type DocumentNode, parse } from 'graphql';
import { ENUMS } from '#edges/graphql/enums.ts';
import { PROJECT } from './project.ts';

/** Where the types of resolvers are written, from the project's folder; not kept in the repository. */
const GRAPHQL_FOLDER = 'src/edges/graphql';
const GRAPHQL_TYPES_FILE = `${GRAPHQL_FOLDER}/schema-types.generated.ts`;

/** An enum as codegen writes it: with the schema's spelling. */
const ENUM_TYPE = /^export type (\w+) =\n(?:  \| '\w+';?\n?)+/gm;

const HEADER = `/* oxlint-disable */
// Made from schema/*.graphql by \`npm run generate\` and by each \`npm run check\`.
`;

/** `<Type>Model` there is what the resolvers of the type get, where that is not the type itself. */
const MODELS = './models.ts';

const CONFIG = {
  contextType: './context.ts#GraphContext',
  scalars: {
    ID: { input: 'string', output: 'string | number' },
    DateTime: 'number',
    JSON: `${MODELS}#Json`,
  },
  strictScalars: true,
  enumsAsTypes: true,
  useTypeImports: true,
  disableDescriptions: true,
};

/** Writes the types of resolvers for `schema/`: nothing but the type checker reads them. */
export async function writeGraphqlTypes(): Promise<void> {
  await writeFile(join(PROJECT, GRAPHQL_TYPES_FILE), await renderGraphqlTypes());
}

async function renderGraphqlTypes(): Promise<string> {
  const schema = await readGraphqlFiles('schema');
  const code = await codegen({
    filename: GRAPHQL_TYPES_FILE,
    schema,
    documents: [],
    config: { ...CONFIG, mappers: await mappersOf(schema) },
    plugins: [{ typescript: {} }, { resolvers: {} }],
    pluginMap: { typescript, resolvers },
  });
  const enums = code.replaceAll(ENUM_TYPE, (text, name) => (name in ENUMS ? `export type ${name} = Spelled<'${name}'>;` : text));
  return `${HEADER}import type { Spelled } from './enums.ts';\n${enums}`;
}

/** What the resolvers of a type get; of the connections of such a type, the program's. */
async function mappersOf({ definitions }: DocumentNode): Promise<Record<string, string>> {
  const models = await readFile(join(PROJECT, GRAPHQL_FOLDER, MODELS), 'utf8');
  const names = [...models.matchAll(/^export type (\w+)Model = /gm)].map(([, name = '']) => name);
  const types = new Set(definitions.map(definition => ('name' in definition ? definition.name?.value : undefined)));
  const connections = names.filter(name => types.has(`${name}Connection`));
  return Object.fromEntries([
    ...names.map(name => [name, `${MODELS}#${name}Model`]),
    ...connections.map(name => [`${name}Connection`, `./connection.ts#Connection<${name}Model>`]),
  ]);
}

/** Every `.graphql` file of a folder as one document. */
export async function readGraphqlFiles(folder: string): Promise<DocumentNode> {
  const path = join(PROJECT, folder);
  const names = (await readdir(path)).filter(name => name.endsWith('.graphql')).sort();
  const texts = await Promise.all(names.map(name => readFile(join(path, name), 'utf8')));
  return parse(texts.join('\n'));
}
