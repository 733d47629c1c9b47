import { saveScriptRoute } from './routes.ts';
import { notFound } from '#kernel/errors.ts';
import { activateScript, deactivateScript, deleteScript, saveScript, scriptList } from './script-store.ts';
import type { JsonValue } from '#kernel/json.ts';
import { nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { ScriptVersion } from './script.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const scriptResolvers: Resolvers = {
  Query: {
    script: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.scripts.load(rowIdOf('id', id, { of: 'Script' }))),
    scripts: (_root, { search, businessCode = null, ...args }, { app }) =>
      connectTo(app, scriptList, { q: searchOf(search), businessCode }, args),
  },
  Mutation: {
    saveScript: fromRoute(saveScriptRoute, (app, caller, body) => saveScript(app, caller, { ...body, id: body.id ?? null })),
    deleteScript: async (_root, { id }, context, info) => {
      const script = await context.loaders.scripts.load(rowIdOf('id', id, { of: 'Script' }));
      if (script === null) throw notFound('话术脚本');
      await deleteScript(context.app, callerOf(context, info), script.id);
      return script;
    },
    activateScript: (_root, { id, version = null }, context, info) =>
      activateScript(context.app, callerOf(context, info), rowIdOf('id', id, { of: 'Script' }), version),
    deactivateScript: (_root, { id }, context, info) =>
      deactivateScript(context.app, callerOf(context, info), rowIdOf('id', id, { of: 'Script' })),
  },
  Script: {
    version: ({ currentVersion }) => currentVersion,
    business: ({ businessCode }, _args, { loaders }) => loaders.businesses.load(businessCode),
    isTaken: async ({ id, businessCode }, _args, { loaders }) => (await loaders.takenScripts.load(businessCode))?.id === id,
    versions: ({ id }, _args, { loaders }) => loaders.scriptVersions.load(id),
    savedVersion: async ({ id }, { version }, { loaders }) =>
      (await loaders.scriptVersions.load(id)).find(saved => saved.version === version) ?? null,
    entryNodeId: ({ body }) => entryOf(body),
    nodes: ({ body }) => member(body, 'nodes'),
    nodeNames: ({ body }) => namesOf(body),
    variables: ({ body }) => member(body, 'variables'),
    phrases: ({ body }) => member(body, 'phrases'),
    nlu: ({ body }) => member(body, 'nlu'),
    resultRules: ({ body }) => member(body, 'resultRules'),
  },
  ScriptVersion: {
    entryNodeId: async ({ id }, _args, { loaders }) => entryOf((await loaders.scriptBodies.load(id))?.body ?? {}),
    nodes: ofBody('nodes'),
    nodeNames: async ({ id }, _args, { loaders }) => namesOf((await loaders.scriptBodies.load(id))?.body ?? {}),
    variables: ofBody('variables'),
    phrases: ofBody('phrases'),
    nlu: ofBody('nlu'),
    resultRules: ofBody('resultRules'),
  },
  ScriptConnection: connectionFields(),
};

/** Reads the body of a version only when one of its fields is requested. */
function ofBody(name: string) {
  return async ({ id }: { id: number }, _args: unknown, { loaders }: GraphContext) =>
    member((await loaders.scriptBodies.load(id))?.body ?? {}, name);
}

function member(body: ScriptVersion['body'], name: string): JsonValue {
  return body[name] ?? null;
}

function namesOf({ nodes }: ScriptVersion['body']): JsonValue {
  return Object.fromEntries((nodes as { id: string; name: string }[] | undefined)?.map(({ id, name }) => [id, name]) ?? []);
}

function entryOf({ entryNodeId }: ScriptVersion['body']): string {
  return typeof entryNodeId === 'string' ? entryNodeId : '';
}
