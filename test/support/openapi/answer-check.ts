import { type JsonSchema, schemaFault } from './schema-fault.ts';

interface Media {
  schema?: JsonSchema;
}

interface Operation {
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

export interface OpenApiJson {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}

/** One response as received over the wire. */
export interface SeenAnswer {
  method: string;
  /** Path with or without a query string. */
  path: string;
  status: number;
  contentType: string;
  text: string;
  /** JSON body of the request; undefined when it has none. */
  sent?: unknown;
}

export type AnswerCheck = (answer: SeenAnswer) => string | null;

/**
 * Compares real responses, and the accepted request bodies, with the OpenAPI document; a path that is not documented may only be refused.
 *
 * Source: OCS 2.1, 4
 */
export function answerCheck(document: OpenApiJson): AnswerCheck {
  const scope = { components: document.components?.schemas ?? {} };
  const templates = Object.keys(document.paths)
    .map(path => ({ path, pattern: patternOf(path) }))
    .sort((a, b) => named(a.path) - named(b.path));
  const operationOf = ({ method, path }: SeenAnswer) => {
    const plain = path.split('?', 1)[0] ?? '';
    const template = document.paths[plain] ? plain : templates.find(({ pattern }) => pattern.test(plain))?.path;
    return document.paths[template ?? '']?.[method.toLowerCase()];
  };
  return answer => {
    const operation = operationOf(answer);
    if (!operation) return undocumented(answer);
    const response = operation.responses[String(answer.status)] ?? (answer.status >= 400 ? operation.responses['default'] : undefined);
    if (!response) return `answers ${answer.status}, of which the document does not tell`;
    return bodyFault(response.content ?? {}, answer, scope) ?? sentFault(operation, answer, scope);
  };
}

/** Number of path parameters plus one; sorting by it puts literal paths first. */
function named(path: string): number {
  return path.split('{').length;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** Documentation and the GraphQL façade, which are not part of the interface of OCS section 4. */
const BESIDE_THE_ROWS = /^\/(?:docs\b|openapi\.json|asyncapi\.json|graphql\b)/;

function undocumented({ status, path }: SeenAnswer): string | null {
  return status >= 400 || status === 204 || BESIDE_THE_ROWS.test(path) ? null : `answers ${status}, but the document does not know it`;
}

type Contents = Record<string, Media>;
type Scope = Parameters<typeof schemaFault>[2];

function bodyFault(content: Contents, { contentType, text }: SeenAnswer, scope: Scope): string | null {
  const type = contentType.split(';', 1)[0] ?? '';
  const told = Object.keys(content);
  if (told.length === 0) return text === '' ? null : 'has a body, of which the document does not tell';
  const media = content[type];
  if (!media) return `is ${type || 'without a type'}, told as ${told.join(', ')}`;
  if (type !== 'application/json' || !media.schema) return null;
  return schemaFault(media.schema, JSON.parse(text), scope);
}

/** The server must not accept a body that the document forbids. */
function sentFault({ requestBody }: Operation, { status, sent }: SeenAnswer, scope: Scope): string | null {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema || sent === undefined || typeof sent === 'string' || status !== 200) return null;
  const fault = schemaFault(schema, JSON.parse(JSON.stringify(sent)), scope);
  return fault === null ? null : `accepted a body that the document refuses: ${fault}`;
}
