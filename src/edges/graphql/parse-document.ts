import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { MAX_TOKENS } from './limits.ts';
import { refusedDocument } from './refused-document.ts';

/** A document of so many tokens. Errors: GraphQLError, also for one that is nested too deeply for the parser, which overflows its stack */
export function parseDocument(text: string, options: { noLocation?: boolean } = {}): DocumentNode {
  try {
    return parse(text, { ...options, maxTokens: MAX_TOKENS });
  } catch (error) {
    throw error instanceof GraphQLError ? error : tooDeep();
  }
}

const tooDeep = () => refusedDocument('文档嵌套过深，无法解析', 'The document is nested too deeply to be read.');
