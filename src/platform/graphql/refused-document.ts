import { type ASTNode, GraphQLError } from 'graphql';
import { CalloutError } from '#kernel/errors.ts';

/** Error for a document that breaks a rule of this server, which is the caller's fault. `message` is Chinese, `english` its translation. */
export function refusedDocument(message: string, english: string, node?: ASTNode): GraphQLError {
  const options = { originalError: new CalloutError('INVALID_ARGUMENT', message), extensions: { http: { status: 400 }, english } };
  return new GraphQLError(message, { ...options, ...(node ? { nodes: node } : {}) });
}

export function tooManyFields(most: number): GraphQLError {
  return refusedDocument(`查询过于复杂：展开片段后超过 ${most} 个字段`, `There are more than ${most} fields with those of fragments.`);
}
