import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
} from 'graphql';
import { type GraphLimits, limitRules, requireAffordable } from './limits.ts';
import { requireMergeable } from './document-validator.ts';
import { parseDocument } from './parse-document.ts';
import { refusedDocument } from './known-documents.ts';

export interface GraphSettings extends GraphLimits {
  /** Whether clients may introspect the schema. */
  introspection: boolean;
}

export interface PreparedOperation {
  document: DocumentNode;
  operationName: string | null | undefined;
  variableValues: Record<string, unknown> | null | undefined;
}

export interface Prepared {
  operation: PreparedOperation;
  cost: number;
}

interface OperationRequest {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** Most validated documents that are kept: dashboards send the same few again and again. */
const MAX_KEPT_DOCUMENTS = 200;
/** Longest document that is kept, in characters. */
const MAX_KEPT_LENGTH = 16_384;

function unknownOperation(name: string | null | undefined): GraphQLError {
  return name
    ? refusedDocument(`文档中没有操作 ${name}`, `The document has no operation ${name}.`)
    : refusedDocument(
        '文档含有多个操作，必须用 operationName 指明一个',
        'The document has several operations: operationName has to say which.',
      );
}

/** Parses and validates the operations of a socket, by the same rules as over HTTP. */
export class OperationPreparer {
  readonly #schema: GraphQLSchema;
  readonly #settings: GraphSettings;
  /** By text, in order of first use. */
  readonly #kept = new Map<string, DocumentNode>();

  constructor(schema: GraphQLSchema, settings: GraphSettings) {
    this.#schema = schema;
    this.#settings = settings;
  }

  /** Shape: the faults, if there are any; the same document object for the same text, as long as it is kept */
  prepare({ query, operationName, variables }: OperationRequest): Prepared | readonly GraphQLError[] {
    try {
      const document = this.#kept.get(query) ?? parseDocument(query);
      if (!this.#kept.has(query)) requireMergeable(document);
      const faults = this.#kept.has(query) ? [] : validate(this.#schema, document, this.#rules());
      if (faults.length > 0) return faults;
      if (!getOperationAST(document, operationName)) return [unknownOperation(operationName)];
      const cost = requireAffordable({ schema: this.#schema, document, operationName, variables }, this.#settings);
      this.#keep(query, document);
      return { operation: { document, operationName, variableValues: variables }, cost };
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  }

  #rules() {
    return [...specifiedRules, ...(this.#settings.introspection ? [] : [NoSchemaIntrospectionCustomRule]), ...limitRules(this.#settings)];
  }

  #keep(query: string, document: DocumentNode): void {
    if (query.length > MAX_KEPT_LENGTH || this.#kept.has(query)) return;
    this.#kept.set(query, document);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT_DOCUMENTS && oldest !== undefined) this.#kept.delete(oldest);
  }
}
