import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, GraphQLError, Kind, type SelectionSetNode } from 'graphql';
import { CalloutError } from '#kernel/errors.ts';
import { refusedDocument, tooManyFields } from './known-documents.ts';
import { parseDocument } from './parse-document.ts';

/** Most fields of one selection set, including those of its fragments. */
export const MAX_SET_FIELDS = 500;
/** Most fields visited for one document; a fragment counts each time it is spread. */
const MAX_VISITED_FIELDS = 10_000;
/** Most pairs of fields with the same name that validation has to compare. */
export const MAX_MERGED_PAIRS = 2_000;

interface Count {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  visited: number;
  pairs: number;
}

/** Selection sets that are merged because their fields have the same name; `within`: the fragments around them. */
interface MergedSet {
  sets: readonly SelectionSetNode[];
  within: ReadonlySet<string>;
}

/**
 * Refuses a document whose validation would take long.
 *
 * Why:    GraphQL compares every two fields of one name in a selection set, then their selections, and so on: a few kilobytes would take
 *         seconds. Counting the pairs visits each field once
 * Errors: GraphQLError
 */
export function requireMergeable(document: DocumentNode): void {
  const fragments = new Map(
    document.definitions.flatMap(each => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const count: Count = { fragments, visited: 0, pairs: 0 };
  for (const definition of document.definitions) {
    if ('selectionSet' in definition && definition.selectionSet) countMerges(count, { sets: [definition.selectionSet], within: new Set() });
  }
}

function countMerges(count: Count, { sets, within }: MergedSet): void {
  const fields: FieldNode[] = [];
  const spread = new Set<string>();
  for (const set of sets) collect(count, set, { fields, spread, within });
  if (fields.length > MAX_SET_FIELDS) throw tooManySelected(fields.length);
  const below = spread.size === 0 ? within : within.union(spread);
  for (const group of Map.groupBy(fields, ({ alias, name }) => (alias ?? name).value).values()) {
    count.pairs += (group.length * (group.length - 1)) / 2;
    if (count.pairs > MAX_MERGED_PAIRS) throw tooManyPairs();
    const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (inner.length > 0) countMerges(count, { sets: inner, within: below });
  }
}

/** Collects the fields of a set: a fragment counts once, and one that contains itself is left to another rule. */
function collect(
  count: Count,
  { selections }: SelectionSetNode,
  into: { fields: FieldNode[]; spread: Set<string>; within: ReadonlySet<string> },
): void {
  for (const selection of selections) {
    count.visited += 1;
    if (count.visited > MAX_VISITED_FIELDS) throw tooManyFields(MAX_VISITED_FIELDS);
    if (selection.kind === Kind.FIELD) into.fields.push(selection);
    else if (selection.kind === Kind.INLINE_FRAGMENT) collect(count, selection.selectionSet, into);
    else {
      const name = selection.name.value;
      const fragment = count.fragments.get(name);
      if (!fragment || into.spread.has(name) || into.within.has(name)) continue;
      into.spread.add(name);
      collect(count, fragment.selectionSet, into);
    }
  }
}

const tooManySelected = (count: number) =>
  refusedDocument(
    `一个选择集中的字段过多：${count} 个，最多 ${MAX_SET_FIELDS} 个`,
    `A selection has ${count} fields, at most ${MAX_SET_FIELDS} are allowed.`,
  );

const tooManyPairs = () => refusedDocument('同名字段重复过多，请合并后再查询', 'Too many fields have one name: merge them.');

/** Most documents remembered as acceptable: dashboards send the same few again and again. */
const MAX_VALIDATED_DOCUMENTS = 500;
/** Longest document that is remembered, in characters. */
const MAX_VALIDATED_LENGTH = 16_384;

/**
 * Checks documents before GraphQL validates them; a document that cannot be parsed is left to GraphQL.
 *
 * Why: Apollo has no hook between parsing and validation that could refuse a document
 */
export class DocumentValidator {
  readonly #validated = new Set<string>();

  /** Errors: GraphQLError for a document whose validation would take long */
  validate(text: string): void {
    if (this.#validated.has(text)) return;
    const document = tryParse(text);
    if (!document) return;
    requireMergeable(document);
    if (text.length <= MAX_VALIDATED_LENGTH) this.#remember(text);
  }

  #remember(text: string): void {
    this.#validated.add(text);
    const [oldest] = this.#validated;
    if (this.#validated.size > MAX_VALIDATED_DOCUMENTS && oldest !== undefined) this.#validated.delete(oldest);
  }
}

function tryParse(text: string) {
  try {
    return parseDocument(text, { noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError && error.originalError instanceof CalloutError) throw error;
    return null; // a syntax error is reported when the document is executed
  }
}
