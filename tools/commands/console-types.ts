import { glob, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocuments from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import {
  buildASTSchema,
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  Kind,
  parse,
  visit,
} from 'graphql';
import { PROJECT } from './project.ts';
import { readGraphqlFiles } from './graphql-types.ts';

export const CONSOLE_FOLDER = 'console';

/** Folders of installed packages and builds, which hold no sources. */
const MADE = /^(node_modules|dist|dist\.new-\d+)$/;

export function isMade(path: string): boolean {
  return MADE.test(basename(path));
}

const HEADER = `/* oxlint-disable */
// Made from schema/*.graphql and the documents beside it; not kept in the repository.
`;

const CONFIG = {
  scalars: { DateTime: 'string', JSON: 'unknown' },
  enumsAsTypes: true,
  useTypeImports: true,
  onlyOperationTypes: true,
  dedupeFragments: true,
  nonOptionalTypename: true,
};

let written: Promise<void> | undefined;

/**
 * Writes `<name>.generated.ts` beside each `<name>.graphql` of the console, and the schema facts that the cache needs; once in a process,
 * whose checks and build both need them.
 */
export function writeConsoleTypes(): Promise<void> {
  return (written ??= writeAll());
}

async function writeAll(): Promise<void> {
  const schema = await readSchema();
  const files = await readDocuments();
  const fragments = new Map(files.flatMap(({ document }) => fragmentsOf(document)).map(each => [each.name.value, each]));
  await Promise.all(files.map(({ path, document }) => writeDocuments(path, schema, withFragments(document, fragments))));
  await writeFile(join(PROJECT, CONSOLE_FOLDER, 'api/cache.generated.ts'), cacheFacts(schema.built));
}

/** The schema as text and built, for all documents: the generator would build it anew for each of them. */
interface Schema {
  document: DocumentNode;
  built: GraphQLSchema;
}

/** Leaves out the descriptions, which the types would repeat. */
async function readSchema(): Promise<Schema> {
  const described = await readGraphqlFiles('schema');
  const document = visit(described, { leave: node => ('description' in node ? { ...node, description: undefined } : undefined) });
  return { document, built: buildASTSchema(document, { assumeValidSDL: true }) };
}

interface DocumentFile {
  /** Relative to the project's folder. */
  path: string;
  document: DocumentNode;
}

async function readDocuments(): Promise<DocumentFile[]> {
  const paths = await Array.fromAsync(glob(`${CONSOLE_FOLDER}/**/*.graphql`, { cwd: PROJECT, exclude: isMade }));
  return Promise.all(
    paths.sort().map(async path => ({ path, document: parse(await readFile(join(PROJECT, path), 'utf8'), { noLocation: true }) })),
  );
}

async function writeDocuments(path: string, schema: Schema, document: DocumentNode): Promise<void> {
  const filename = path.replace(/\.graphql$/, '.generated.ts');
  const code = await codegen({
    filename,
    schema: schema.document,
    schemaAst: schema.built,
    documents: [{ location: path, document }],
    config: CONFIG,
    plugins: [{ operations: {} }, { typedDocuments: {} }],
    pluginMap: { operations, typedDocuments },
  });
  await writeFile(join(PROJECT, filename), HEADER + code);
}

function fragmentsOf({ definitions }: DocumentNode): FragmentDefinitionNode[] {
  return definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION);
}

/**
 * Adds the fragments that a document uses, so that a page's file is complete: shared fragments are repeated, and no page loads another's
 * file.
 */
function withFragments(document: DocumentNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): DocumentNode {
  const definitions = [...document.definitions];
  const held = new Set(fragmentsOf(document).map(({ name }) => name.value));
  for (const definition of definitions) {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (held.has(name.value) || !fragment) return;
        held.add(name.value);
        definitions.push(fragment);
      },
    });
  }
  return { ...document, definitions };
}

/** Schema facts that the client's cache needs. */
function cacheFacts(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap());
  const possible = types.filter(isAbstractType).map(type => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)] as const);
  const growing = types
    .filter(isObjectType)
    .map(
      type =>
        [
          type.name,
          Object.values(type.getFields())
            .filter(isSlice)
            .map(({ name }) => name),
        ] as const,
    )
    .filter(([, fields]) => fields.length > 0);
  return `${HEADER}export const POSSIBLE_TYPES: Record<string, string[]> = ${JSON.stringify(Object.fromEntries(possible))};
/** Fields that give a slice of a list, by type. */
export const SLICES: Record<string, string[]> = ${JSON.stringify(Object.fromEntries(growing))};
`;
}

function isSlice({ type, args }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && 'pageInfo' in named.getFields() && args.some(({ name }) => name === 'after');
}
