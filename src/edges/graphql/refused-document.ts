import { type ASTNode, GraphQLError } from 'graphql';
import { CalloutError } from '#kernel/errors.ts';

/** A document that breaks a rule of this server: the caller's fault. `message` is Chinese. */
export function refusedDocument(message: string, node?: ASTNode): GraphQLError {
  const options = { originalError: new CalloutError('INVALID_ARGUMENT', message), extensions: { http: { status: 400 } } };
  return new GraphQLError(message, { ...options, ...(node ? { nodes: node } : {}) });
}
