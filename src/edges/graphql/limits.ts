import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  getNullableType,
  type GraphQLSchema,
  isListType,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { type ComplexityEstimator, getComplexity, simpleEstimator } from 'graphql-query-complexity';
import { MAX_SLICE } from './connection.ts';
import { limitToListed } from './listed-documents.ts';
import { refusedDocument } from './refused-document.ts';

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

/** The rules that need no variables: the list of documents, depth and aliases. Introspection has its own depth and is left out. */
export function limitRules({ documents, maxDepth, maxAliases }: GraphLimits): ValidationRule[] {
  return [
    context => limitToListed(context, documents),
    context => limitDepth(context, maxDepth),
    context => limitAliases(context, maxAliases),
  ];
}

function limitDepth(context: ValidationContext, maxDepth: number): ASTVisitor {
  return {
    OperationDefinition(operation) {
      const depth = depthOf(operation.selectionSet, name => context.getFragment(name) ?? null, new Map());
      if (depth > maxDepth) context.reportError(refusedDocument(`查询嵌套过深：${depth} 层，最多 ${maxDepth} 层`, operation));
    },
  };
}

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
      if (field.alias) aliases += 1;
    },
    Document: {
      leave(document) {
        if (aliases > maxAliases) context.reportError(refusedDocument(`别名过多：${aliases} 个，最多 ${maxAliases} 个`, document));
      },
    },
  };
}

/** A slice costs its rows times what each row costs; whole lists are taken for a few rows. */
const rowsEstimator: ComplexityEstimator = ({ args, childComplexity, type, field }) => {
  if (field.args.some(({ name }) => name === 'first')) {
    const first: unknown = args['first'];
    return 1 + (typeof first === 'number' ? Math.min(Math.max(first, 1), MAX_SLICE) : MAX_SLICE) * childComplexity;
  }
  // Lists of a connection are the slice itself; introspection has a rule of its own.
  const isCounted = type.name.endsWith('Connection') || type.name.startsWith('__');
  const isWholeList = isListType(getNullableType(field.type)) && childComplexity > 0 && !isCounted;
  return isWholeList ? 1 + LIST_ROWS * childComplexity : undefined;
};

interface OperationAsked {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** What documents without variables cost: the same each time, and dashboards send the same few again and again. */
const knownComplexities = new WeakMap<DocumentNode, number>();

/**
 * Refuses an operation that costs more than the limit.
 *
 * Errors: GraphQLError over the limit
 */
export function requireAffordable(request: OperationAsked, { maxComplexity }: GraphLimits): void {
  const complexity = knownComplexities.get(request.document) ?? complexityOf(request);
  if (complexity > maxComplexity) throw refusedDocument(`查询过于复杂：估算 ${complexity}，最多 ${maxComplexity}；请减少字段或 first`);
}

function complexityOf({ schema, document, operationName, variables }: OperationAsked): number {
  const complexity = getComplexity({
    schema,
    query: document,
    ...(operationName ? { operationName } : {}),
    variables: variables ?? {},
    estimators: [rowsEstimator, simpleEstimator({ defaultComplexity: 1 })],
  });
  if (isConstant(document)) knownComplexities.set(document, complexity);
  return complexity;
}

/** One operation, whose cost no variable can change. */
function isConstant({ definitions }: DocumentNode): boolean {
  const operations = definitions.filter(definition => definition.kind === Kind.OPERATION_DEFINITION);
  return operations.length === 1 && operations.every(operation => (operation.variableDefinitions ?? []).length === 0);
}
