import {
  type ASTNode,
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
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
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity';
import { requireTellable } from './bounded-variables.ts';
import { MAX_SLICE, SLICE_ARGS } from './connection.ts';
import { limitParts } from './incremental.ts';
import { limitToListed } from './listed-documents.ts';
import { refusedDocument, tooManyFields } from './refused-document.ts';

/** Bounds of one document. */
export interface GraphLimits {
  /** Fields within fields. */
  maxDepth: number;
  maxAliases: number;
  /** One per field, times the rows of the lists around it. */
  maxComplexity: number;
  /** When not empty, nothing else is executed. */
  documents: readonly string[];
}

/** Lexical tokens of one document; rows come as variables. */
export const MAX_TOKENS = 5_000;
/** Whole lists without a slice are taken for this many rows. */
const LIST_ROWS = 10;
/** Fields that are looked at for one document, fragments each time they are spread. */
const MAX_NODES = 10_000;
/** What a slice costs that is to be searched or filtered: it may look through many rows to find few. */
const SIFTING_COST = 50;
/** Rows that are read as they are, whatever is asked of them: each counts once. */
const WHOLE_ROWS: readonly string[] = ['TranscriptSegment', 'CallEvent'];
/** Fields that look at much more than they show: many contacts of each campaign, the attempts of many hours. */
const LOOKING_COSTS: Readonly<Record<string, number>> = {
  'Campaign.notDialedReasons': 20,
  'Campaign.preflight': 300,
  'Query.trend': 100,
  'Query.trendHours': 300,
};

/** The rules that need no variables: the list of documents, depth and aliases. Introspection has its own depth, and each of its lists but once. */
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

/** Fragments are measured once; one that contains itself is somebody else's error. */
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

/** `__type` names a type each time; all others would say the same again. */
function isIntrospection(context: ValidationContext, { name: { value } }: FieldNode): boolean {
  return value === '__schema' || (value !== '__typename' && context.getParentType()?.name.startsWith('__') === true);
}

/** A slice costs its rows times what each row costs; whole lists are taken for a few rows. Statements are shared by all rows, and cost nothing. */
const rowsEstimator: ComplexityEstimator = ({ args, childComplexity, type, field }) => {
  if (WHOLE_ROWS.includes(type.name)) return 0;
  if (WHOLE_ROWS.includes(getNamedType(field.type).name)) return 1 + LIST_ROWS;
  const own = 1 + lookingCost(type, field, args);
  if (Array.isArray(args['ids'])) return own + args['ids'].length * childComplexity;
  if (isSlice(field)) {
    const size: unknown = args['first'] ?? args['last'];
    return own + (typeof size === 'number' ? Math.min(Math.max(size, 1), MAX_SLICE) : MAX_SLICE) * childComplexity;
  }
  // Lists of a connection are the slice itself; introspection has a rule of its own.
  const isCounted = type.name.endsWith('Connection') || type.name.startsWith('__');
  const isWholeList = isListType(getNullableType(field.type)) && childComplexity > 0 && !isCounted;
  return own + (isWholeList ? LIST_ROWS : 1) * childComplexity;
};

function isSlice({ args }: GraphQLField<unknown, unknown>): boolean {
  return args.some(({ name }) => name === 'first');
}

function lookingCost(type: GraphQLCompositeType, field: GraphQLField<unknown, unknown>, args: Readonly<Record<string, unknown>>): number {
  const isSifted = isSlice(field) && Object.entries(args).some(([name, value]) => value !== null && !SLICE_ARGS.includes(name));
  return isSifted ? SIFTING_COST : (LOOKING_COSTS[`${type.name}.${field.name}`] ?? 0);
}

interface OperationAsked {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** What documents without variables cost: the same each time, and dashboards send the same few again and again. */
const knownComplexities = new WeakMap<DocumentNode, number>();

/**
 * What an operation costs; refuses one that costs more than the limit, with the `spent` of those before it in a batch.
 *
 * Errors: GraphQLError COST_LIMIT over the limit, and for variables that do not fit
 */
export function requireAffordable(request: OperationAsked, { maxComplexity }: GraphLimits, spent = 0): number {
  const known = knownComplexities.get(request.document);
  if (known === undefined) requireTellable(request.variables);
  const own = known ?? judged(() => complexityOf(request));
  const cost = spent + own;
  if (cost <= maxComplexity) return own;
  const english = `The operation is too dear: about ${cost} of ${maxComplexity}. Ask for fewer fields or rows.`;
  const extensions = { code: 'COST_LIMIT', cost, limit: maxComplexity, http: { status: 400 }, english };
  throw new GraphQLError(`查询过于复杂：估算 ${cost}，最多 ${maxComplexity}；请减少字段或 first`, { extensions });
}

/** The library knows no HTTP status, and reports too many nodes in words of its own. */
function judged(reckon: () => number): number {
  try {
    return reckon();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (error.nodes === undefined) throw tooManyFields(MAX_NODES);
    Object.assign(error.extensions, { http: { status: 400 } });
    throw error;
  }
}

/**
 * Refuses variables that do not fit by the first fault.
 *
 * Why:    each fault is told with the whole value, and the library looks for all of them: an input of a few thousand unknown members took minutes
 * Errors: GraphQLError
 */
function requireFitVariables({ schema, document, operationName, variables }: OperationAsked): void {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const [fault] = getVariableValues(schema, definitions, variables ?? {}, { maxErrors: 1 }).errors ?? [];
  if (fault) throw fault;
}

function complexityOf(request: OperationAsked): number {
  requireFitVariables(request);
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

/** One operation, whose cost no variable can change. */
function isConstant({ definitions }: DocumentNode): boolean {
  const operations = definitions.filter(definition => definition.kind === Kind.OPERATION_DEFINITION);
  return operations.length === 1 && operations.every(operation => (operation.variableDefinitions ?? []).length === 0);
}
