import { Kind, parse } from 'graphql';
import { readSchemaTexts } from '#serve/graphql-edge.ts';

/** The permission that `@access` requires for each field of `schema/`, by `Type.field`. */
export function readFieldAccess(): ReadonlyMap<string, string> {
  const access = new Map<string, string>();
  for (const definition of readSchemaTexts().flatMap(text => parse(text).definitions)) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.OBJECT_TYPE_EXTENSION) continue;
    for (const field of definition.fields ?? []) {
      const needs = field.directives?.find(({ name }) => name.value === 'access')?.arguments?.[0]?.value;
      if (needs?.kind === Kind.STRING) access.set(`${definition.name.value}.${field.name.value}`, needs.value);
    }
  }
  return access;
}
