import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { MAX_TOKENS } from './limits.ts';
import { refusedDocument } from './known-documents.ts';

/** Parses a document of at most `MAX_TOKENS`. Errors: GraphQLError, also when the nesting would overflow the parser's stack */
export function parseDocument(text: string, options: { noLocation?: boolean } = {}): DocumentNode {
  try {
    return parse(text, { ...options, maxTokens: MAX_TOKENS });
  } catch (error) {
    throw error instanceof GraphQLError ? error : tooDeep();
  }
}

const tooDeep = () => refusedDocument('文档嵌套过深，无法解析', 'The document is nested too deeply to be read.');
