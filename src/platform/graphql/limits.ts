import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import { execute as executeInParts } from '@graphql-tools/executor';
import {
  type ASTNode,
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  isListType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
  visit,
} from 'graphql';
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity';
import { requirePrintable } from './bounded-variables.ts';
import { MAX_SLICE, SLICE_ARGS } from './connection.ts';
import { limitToListed, refusedDocument, tooManyFields } from './known-documents.ts';

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
const limitParts: ValidationRule = context => ({
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

/** Bounds of one document. */
export interface GraphLimits {
  /** Levels of nested fields. */
  maxDepth: number;
  maxAliases: number;
  /** Cost limit: one per field, times the rows of the lists around it. */
  maxComplexity: number;
  /** If not empty, only these documents are executed. */
  documents: readonly string[];
}

/** Most lexical tokens of one document; rows are sent as variables. */
export const MAX_TOKENS = 5_000;
/** Rows that a list without a slice is assumed to have. */
const LIST_ROWS = 10;
/** Most fields visited for one document; a fragment counts each time it is spread. */
const MAX_NODES = 10_000;
/** Extra cost of a slice that is searched or filtered: it may scan many rows to find few. */
const FILTER_COST = 50;
/** Types whose lists are the rows of the slice that their field is asked for, which counts them already. */
const SLICED_TYPES: readonly string[] = ['CallbacksSnapshot', 'CallbacksChanged'];
/** Types whose rows are always read whole, or are data of the program: a row counts once, whichever fields are selected. */
const WHOLE_ROWS: readonly string[] = ['TranscriptSegment', 'CallEvent', 'PackRule'];
/** Extra cost of fields that read much more than they show: many contacts of each campaign, the attempts of many hours. */
const FIELD_COSTS: Readonly<Record<string, number>> = {
  'Campaign.notDialedReasons': 20,
  'Campaign.preflight': 300,
  'Script.figures': 300,
  'Attempt.steps': 50,
  'Query.tryScript': 100,
  'Query.checkScriptUtterances': 300,
  'Query.previewRulePack': 300,
  'Query.trend': 100,
  'Query.trendHours': 300,
  'Query.callStats': 300,
  'Query.campaignFunnel': 300,
  'Query.nodeStats': 300,
  'Query.agentStats': 300,
};

/**
 * Rules that need no variables: listed documents, depth and aliases. Introspection has its own depth rule, and each of its lists may be
 * requested only once.
 */
export function limitRules({ documents, maxDepth, maxAliases }: GraphLimits): ValidationRule[] {
  return [
    context => limitToListed(context, documents),
    context => limitDepth(context, maxDepth),
    context => limitAliases(context, maxAliases),
    limitParts,
  ];
}

function limitDepth(context: ValidationContext, maxDepth: number): ASTVisitor {
  return {
    OperationDefinition(operation) {
      const depth = depthOf(operation.selectionSet, name => context.getFragment(name) ?? null, new Map());
      if (depth > maxDepth) context.reportError(tooDeep(depth, maxDepth, operation));
    },
  };
}

const tooDeep = (depth: number, most: number, node: ASTNode) =>
  refusedDocument(`查询嵌套过深：${depth} 层，最多 ${most} 层`, `Fields are ${depth} deep, at most ${most} are allowed.`, node);

const tooManyAliases = (count: number, most: number, node: ASTNode) =>
  refusedDocument(`别名过多：${count} 个，最多 ${most} 个`, `There are ${count} aliases, at most ${most} are allowed.`, node);

const aliasedIntrospection = (field: FieldNode) =>
  refusedDocument(`内省字段 ${field.name.value} 不能取别名`, `Introspection's ${field.name.value} takes no alias.`, field);

/** Measures each fragment once; a fragment that contains itself is left to another rule. */
function depthOf(
  { selections }: SelectionSetNode,
  fragment: (name: string) => FragmentDefinitionNode | null,
  known: Map<string, number>,
): number {
  const depths = selections.map(selection => {
    if (selection.kind === Kind.FIELD) {
      if (selection.name.value.startsWith('__') || !selection.selectionSet) return 1;
      return 1 + depthOf(selection.selectionSet, fragment, known);
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet, fragment, known);
    const name = selection.name.value;
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, 0);
    const spread = fragment(name);
    const depth = spread ? depthOf(spread.selectionSet, fragment, known) : 0;
    known.set(name, depth);
    return depth;
  });
  return Math.max(0, ...depths);
}

function limitAliases(context: ValidationContext, maxAliases: number): ASTVisitor {
  let aliases = 0;
  return {
    Field(field) {
      if (!field.alias) return;
      aliases += 1;
      if (isIntrospection(context, field)) context.reportError(aliasedIntrospection(field));
    },
    Document: {
      leave(document) {
        if (aliases > maxAliases) context.reportError(tooManyAliases(aliases, maxAliases, document));
      },
    },
  };
}

/** Whether an introspection field must not be aliased, because that would only repeat its answer; `__type` may name another type. */
function isIntrospection(context: ValidationContext, { name: { value } }: FieldNode): boolean {
  return value === '__schema' || (value !== '__typename' && context.getParentType()?.name.startsWith('__') === true);
}

/**
 * Costs a slice at its rows times the cost of each, and any other list at a few rows. Statements are shared by all rows and cost nothing.
 */
const rowsEstimator: ComplexityEstimator = ({ args, childComplexity, type, field }) => {
  if (WHOLE_ROWS.includes(type.name)) return 0;
  if (WHOLE_ROWS.includes(getNamedType(field.type).name)) return 1 + LIST_ROWS;
  const own = 1 + extraCost(type, field, args);
  if (Array.isArray(args['ids'])) return own + args['ids'].length * childComplexity;
  if (isSlice(field)) {
    const size: unknown = args['first'] ?? args['last'];
    return own + (typeof size === 'number' ? Math.min(Math.max(size, 1), MAX_SLICE) : MAX_SLICE) * childComplexity;
  }
  // The lists of a connection are the slice itself; introspection has its own rule.
  const isCounted = type.name.endsWith('Connection') || type.name.startsWith('__') || SLICED_TYPES.includes(type.name);
  const isWholeList = isListType(getNullableType(field.type)) && childComplexity > 0 && !isCounted;
  return own + (isWholeList ? LIST_ROWS : 1) * childComplexity;
};

function isSlice({ args }: GraphQLField<unknown, unknown>): boolean {
  return args.some(({ name }) => name === 'first');
}

function extraCost(type: GraphQLCompositeType, field: GraphQLField<unknown, unknown>, args: Readonly<Record<string, unknown>>): number {
  const isFiltered = isSlice(field) && Object.entries(args).some(([name, value]) => value !== null && !SLICE_ARGS.includes(name));
  return isFiltered ? FILTER_COST : (FIELD_COSTS[`${type.name}.${field.name}`] ?? 0);
}

interface OperationRequest {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** Cost of documents without variables, which never changes; dashboards send the same few again and again. */
const knownComplexities = new WeakMap<DocumentNode, number>();

/**
 * Cost of an operation; refuses one that exceeds the limit together with the `spent` cost of earlier operations of its batch.
 *
 * Errors: GraphQLError COST_LIMIT above the limit, and GraphQLError for invalid variables
 */
export function requireAffordable(request: OperationRequest, { maxComplexity }: GraphLimits, spent = 0): number {
  const known = knownComplexities.get(request.document);
  if (known === undefined) requirePrintable(request.variables);
  const own = known ?? withHttpStatus(() => complexityOf(request));
  const cost = spent + own;
  if (cost <= maxComplexity) return own;
  const english = `The operation is too dear: about ${cost} of ${maxComplexity}. Ask for fewer fields or rows.`;
  const extensions = { code: 'COST_LIMIT', cost, limit: maxComplexity, http: { status: 400 }, english };
  throw new GraphQLError(`查询过于复杂：估算 ${cost}，最多 ${maxComplexity}；请减少字段或 first`, { extensions });
}

/** Adds the HTTP status, which the library does not set, and replaces the library's own error for too many nodes. */
function withHttpStatus(estimate: () => number): number {
  try {
    return estimate();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (error.nodes === undefined) throw tooManyFields(MAX_NODES);
    Object.assign(error.extensions, { http: { status: 400 } });
    throw error;
  }
}

/**
 * Refuses invalid variables at their first fault.
 *
 * Why:    the message of a fault prints the whole value, and the library collects all faults: a few thousand unknown members would take
 *         minutes
 * Errors: GraphQLError
 */
function requireValidVariables({ schema, document, operationName, variables }: OperationRequest): void {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const [fault] = getVariableValues(schema, definitions, variables ?? {}, { maxErrors: 1 }).errors ?? [];
  if (fault) throw fault;
}

function complexityOf(request: OperationRequest): number {
  requireValidVariables(request);
  const { schema, document, operationName, variables } = request;
  const complexity = getComplexity({
    schema,
    query: document,
    ...(operationName ? { operationName } : {}),
    variables: variables ?? {},
    estimators: [rowsEstimator],
    maxQueryNodes: MAX_NODES,
  });
  if (isConstant(document)) knownComplexities.set(document, complexity);
  return complexity;
}

/** Whether the document has one operation, whose cost no variable can change. */
function isConstant({ definitions }: DocumentNode): boolean {
  const operations = definitions.filter(definition => definition.kind === Kind.OPERATION_DEFINITION);
  return operations.length === 1 && operations.every(operation => (operation.variableDefinitions ?? []).length === 0);
}
