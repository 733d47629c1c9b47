import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type GraphLimits, limitRules, MAX_TOKENS, requireAffordable } from './limits.ts';

export interface GraphSettings extends GraphLimits {
  /** Whether clients may ask for the schema. */
  introspection: boolean;
}

export interface PreparedOperation {
  document: DocumentNode;
  operationName: string | null | undefined;
  variableValues: Record<string, unknown> | null | undefined;
}

/** Parses and judges an operation that came over a socket, by the rules that hold over HTTP. Shape: the faults when there are any */
export function prepareOperation(
  schema: GraphQLSchema,
  settings: GraphSettings,
  payload: { query: string; operationName?: string | null | undefined; variables?: Record<string, unknown> | null | undefined },
): PreparedOperation | readonly GraphQLError[] {
  try {
    const document = parse(payload.query, { maxTokens: MAX_TOKENS });
    const rules = [...specifiedRules, ...(settings.introspection ? [] : [NoSchemaIntrospectionCustomRule]), ...limitRules(settings)];
    const faults = validate(schema, document, rules);
    if (faults.length > 0) return faults;
    const { operationName, variables } = payload;
    requireAffordable({ schema, document, operationName, variables }, settings);
    return { document, operationName, variableValues: variables };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}
