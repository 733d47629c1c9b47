import { describe, expect, test } from '@jest/globals';
import { type GraphQLFieldResolver, isObjectType } from 'graphql';
import { isCalloutError } from '#kernel/errors.ts';
import { builtInAdmin, type Caller, permissionsOf, type Role, ROLE_KEYS } from '#kernel/caller.ts';
import { readFieldAccess } from '#test/support/field-access.ts';
import { createSchema } from '#serve/graphql-edge.ts';

const schema = createSchema();
const fields = [...readFieldAccess()];

function callerAs(role: Role): Caller {
  return { ...builtInAdmin({ ip: null, traceId: 'test' }), role, permissions: new Set(permissionsOf(role)) };
}

/** A dependency whose every call rejects. It never throws synchronously, so parallel statements all run to their end. */
const NOTHING: object = new Proxy(() => undefined, {
  get: (_target, key) => (key === 'then' ? undefined : NOTHING),
  apply() {
    const refusal = Promise.reject(new Error('there is nothing to work with'));
    refusal.catch(() => undefined);
    return refusal;
  },
});

/** Refusal code of the guard. A resolver that passes the guard fails differently, because it has no dependencies here. */
async function refusalOf(path: string, caller: Caller | null): Promise<string | null> {
  const [typeName = '', name = ''] = path.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  const resolve = (field?.subscribe ?? field?.resolve) as GraphQLFieldResolver<unknown, unknown>;
  try {
    await resolve({}, {}, { caller, deps: NOTHING, loaders: {} }, { path: { key: name }, fieldName: name } as never);
  } catch (error) {
    if (isCalloutError(error, 'FORBIDDEN') || isCalloutError(error, 'UNAUTHENTICATED')) return error.code;
  }
  return null;
}

describe('every field with its own access rule, for every role, matches the permission matrix of REST [OCS 2.3, D3.1]', () => {
  test.each(fields)('%s (%s)', async (path, access) => {
    for (const role of ROLE_KEYS) {
      const mayPass = access === 'public' || access === 'session' || permissionsOf(role).includes(access as never);
      expect([role, await refusalOf(path, callerAs(role))]).toEqual([role, mayPass ? null : 'FORBIDDEN']);
    }
    expect(await refusalOf(path, null)).toBe(access === 'public' ? null : 'UNAUTHENTICATED');
  });
});
