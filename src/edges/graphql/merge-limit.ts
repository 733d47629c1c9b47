import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { refusedDocument, tooManyFields } from './refused-document.ts';

/** Fields of one selection set, those of its fragments included. */
export const MAX_SET_FIELDS = 500;
/** Fields that are looked at for one document, fragments each time they are spread. */
const MAX_VISITED_FIELDS = 10_000;
/** Pairs of fields of one name that must be found to agree. */
export const MAX_MERGED_PAIRS = 2_000;

interface Count {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  visited: number;
  pairs: number;
}

/** One selection set with what other mentions of the same field add to it; `within`: the fragments that lead here. */
interface MergedSet {
  sets: readonly SelectionSetNode[];
  within: ReadonlySet<string>;
}

/**
 * Refuses a document whose validation would take long.
 *
 * Why:    GraphQL compares every two fields of one name in a selection set, and what they select, and so on: a few kilobytes would take seconds. This counts
 *         the pairs, which takes one look at each field
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
  if (fields.length > MAX_SET_FIELDS) throw tooWide(fields.length);
  const below = spread.size === 0 ? within : within.union(spread);
  for (const group of Map.groupBy(fields, ({ alias, name }) => (alias ?? name).value).values()) {
    count.pairs += (group.length * (group.length - 1)) / 2;
    if (count.pairs > MAX_MERGED_PAIRS) throw tooAlike();
    const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (inner.length > 0) countMerges(count, { sets: inner, within: below });
  }
}

/** A fragment counts once in a set; one within itself is somebody else's error. */
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

const tooWide = (count: number) =>
  refusedDocument(
    `一个选择集中的字段过多：${count} 个，最多 ${MAX_SET_FIELDS} 个`,
    `A selection has ${count} fields, at most ${MAX_SET_FIELDS} are allowed.`,
  );

const tooAlike = () => refusedDocument('同名字段重复过多，请合并后再查询', 'Too many fields have one name: merge them.');
