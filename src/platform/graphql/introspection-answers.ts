import { createHash } from 'node:crypto';
import { execute, getIntrospectionQuery, type GraphQLSchema, type IntrospectionOptions, parse } from 'graphql';
import { assert } from '#kernel/assert.ts';

/** Options with which common tools request a schema. */
const VARIANTS: readonly IntrospectionOptions[] = [
  {},
  { descriptions: false },
  { inputValueDeprecation: true },
  { schemaDescription: true, inputValueDeprecation: true },
  { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true },
  { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true },
];

/** Answers to the documents with which tools explore a schema, each executed once; null for any other text. */
export interface IntrospectionAnswers {
  byText(text: string): Buffer | null;
  byHash(sha256: string): Buffer | null;
}

/** Why: clients without a session get the schema without making the server parse, validate or execute anything */
export function createIntrospectionAnswers(schema: GraphQLSchema): IntrospectionAnswers {
  const texts = VARIANTS.map(options => getIntrospectionQuery(options));
  const bySpelling = new Map(texts.map(text => [spellingOf(text), text]));
  const bySum = new Map(texts.map(text => [createHash('sha256').update(text).digest('hex'), text]));
  const answers = new Map<string, Buffer>();
  const answerTo = (text: string | undefined): Buffer | null => {
    if (text === undefined) return null;
    const known = answers.get(text) ?? answerOf(schema, text);
    answers.set(text, known);
    return known;
  };
  return { byText: text => answerTo(bySpelling.get(spellingOf(text))), byHash: sum => answerTo(bySum.get(sum)) };
}

/** Normalises white space and commas, which matter in GraphQL only between words. */
function spellingOf(text: string): string {
  return text
    .replaceAll(/[\s,]+/g, ' ')
    .replaceAll(/ ?([{}():.]) ?/g, '$1')
    .trim();
}

function answerOf(schema: GraphQLSchema, text: string): Buffer {
  const result = execute({ schema, document: parse(text) });
  assert(!('then' in result) && !result.errors, 'introspection needs no waiting and cannot fail');
  return Buffer.from(JSON.stringify({ data: result.data }));
}
