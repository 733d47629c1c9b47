import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import { execute as executeInParts } from '@graphql-tools/executor';
import {
  type DirectiveNode,
  type DocumentNode,
  execute,
  type FieldNode,
  getDirectiveValues,
  getVariableValues,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type ValidationRule,
  visit,
} from 'graphql';
import { refusedDocument } from './refused-document.ts';

type ExecuteInParts = NonNullable<ApolloServerOptions<BaseContext>['legacyExperimentalExecuteIncrementally']>;

/** Most `@defer` and `@stream` in one document. */
const MAX_PARTS = 20;

/**
 * Sends deferred and streamed parts separately to clients that accept `multipart/mixed; deferSpec=20220824`; others get one whole answer.
 *
 * Why: graphql 16 ignores the directives, and Apollo Server delegates to an executor that supports them
 */
export const executeIncrementally: ExecuteInParts = args =>
  // The executor's types leave members open that Apollo's define; both describe the same format.
  (isInParts(args.document) ? executeInParts(args as Parameters<typeof executeInParts>[0]) : execute(args)) as ReturnType<ExecuteInParts>;

function isInParts(document: DocumentNode): boolean {
  return partsOf(document).length > 0;
}

function partsOf(document: DocumentNode): DirectiveNode[] {
  const parts: DirectiveNode[] = [];
  visit(document, { Directive: node => void (isPart(node) && parts.push(node)) });
  return parts;
}

function isPart({ name: { value } }: DirectiveNode): boolean {
  return value === 'defer' || value === 'stream';
}

/** Allows `@defer` and `@stream` only in queries, and only a few: each part is a response of its own. */
export const limitParts: ValidationRule = context => ({
  Document(document) {
    const parts = partsOf(document);
    if (parts.length > MAX_PARTS) context.reportError(tooManyParts(parts.length));
    const isQuery = document.definitions.every(
      each => each.kind !== Kind.OPERATION_DEFINITION || each.operation === OperationTypeNode.QUERY,
    );
    const [first] = parts;
    if (first && !isQuery) {
      context.reportError(refusedDocument('@defer 与 @stream 只能用于查询', '@defer and @stream are of queries alone.', first));
    }
  },
});

interface StreamedOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode | undefined;
  variables: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Refuses `@stream` with an invalid `initialCount`, even when a variable supplies it.
 *
 * Why:    the executor's own refusal would look like a failure of the server
 * Errors: GraphQLError
 */
export function requireInitialCount({ schema, document, operation, variables = {} }: StreamedOperation): void {
  const stream = schema.getDirective('stream');
  const streamed = stream ? fieldsIn(document).filter(({ directives }) => directives?.some(({ name }) => name.value === stream.name)) : [];
  if (!stream || !operation || streamed.length === 0) return;
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (errors) return; // the execution reports them
  for (const field of streamed) {
    const count = getDirectiveValues(stream, field, coerced)?.['initialCount'];
    if (typeof count !== 'number' || count < 0) throw noCount(field);
  }
}

function fieldsIn(document: DocumentNode): FieldNode[] {
  const fields: FieldNode[] = [];
  visit(document, { Field: node => void fields.push(node) });
  return fields;
}

const noCount = (field: FieldNode) =>
  refusedDocument('@stream 的 initialCount 必须是不小于 0 的整数', 'initialCount of @stream must be an integer of at least 0.', field);

const tooManyParts = (count: number) =>
  refusedDocument(
    `@defer 与 @stream 过多：${count} 个，最多 ${MAX_PARTS} 个`,
    `There are ${count} @defer and @stream, at most ${MAX_PARTS} are allowed.`,
  );
