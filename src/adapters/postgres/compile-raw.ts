import type { CompiledQuery, Kysely, OperationNode, RawBuilder, RawNode, ValueNode } from 'kysely';

/** Text with its parameters as `$n`. */
export type CompiledStatement = Pick<CompiledQuery, 'sql' | 'parameters'>;

const isRaw = (node: OperationNode): node is RawNode => node.kind === 'RawNode';
const isParameter = (node: OperationNode): node is ValueNode => node.kind === 'ValueNode' && (node as ValueNode).immediate !== true;

/**
 * A statement of text and values alone is put together as it is written; any other is compiled by the query builder.
 *
 * Why: the builder copies and freezes every node of it, for twice the CPU
 */
export function compileRaw(statement: RawBuilder<unknown>, compiler: Kysely<unknown>): CompiledStatement {
  const parameters: unknown[] = [];
  const text = textOf(statement.toOperationNode(), parameters);
  return text === null ? statement.compile(compiler) : { sql: text, parameters };
}

/** Null: something else than text and values is in it. */
function textOf(node: OperationNode, parameters: unknown[]): string | null {
  if (isParameter(node)) return `$${parameters.push(node.value)}`;
  if (!isRaw(node)) return null;
  let text = '';
  for (const [place, fragment] of node.sqlFragments.entries()) {
    const child = node.parameters[place];
    const inside = child === undefined ? '' : textOf(child, parameters);
    if (inside === null) return null;
    text += fragment + inside;
  }
  return text;
}
