import { z } from 'zod';
import { draftBody, saveScriptRoute, utteranceBody } from './routes.ts';
import { notFound } from '#kernel/errors.ts';
import { activateScript, deactivateScript, deleteScript, saveScript, scriptList } from './script-store.ts';
import type { JsonValue } from '#kernel/json.ts';
import { bigRowIdOf, given, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { fromRoute, parseAsBody } from '#graph/from-route.ts';
import { type Language, wordsOf } from '#kernel/problem.ts';
import type { ScriptFault } from '#protocol/script.ts';
import { NODE_TYPE_FORMS } from '#protocol/script-nodes.ts';
import { scriptFaults } from './decisions/script-faults.ts';
import { scriptNotes } from './decisions/script-notes.ts';
import { SCRIPT_TEMPLATES } from './decisions/script-templates.ts';
import { trialAnswers } from './decisions/trial.ts';
import { discardScriptDraft, publishScript, saveScriptDraft, type ScriptDraft } from './script-drafts.ts';
import { readScriptFigures } from './script-figures.ts';
import { tryScript } from './script-trial.ts';
import { checkUtterances, dropUtterance, keepUtterance } from './script-utterances.ts';
import type { ScriptVersion } from './script.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const scriptResolvers: Resolvers = {
  Query: {
    script: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.scripts.load(rowIdOf('id', id, { of: 'Script' }))),
    scripts: (_root, { search, businessCode = null, ...args }, { app }) =>
      connectTo(app, scriptList, { q: searchOf(search), businessCode }, args),
    scriptNodeTypes: () => [...NODE_TYPE_FORMS],
    scriptTemplates: () => SCRIPT_TEMPLATES.map(({ key, body }) => ({ key, body: toJson(body) })),
    tryScript: (_root, { id, version = null, said, answers = null, variables = null }, { app }) => {
      const { answers: known } = parseAsBody({ body: z.object({ answers: trialAnswers }) }, { answers: answers ?? [] });
      return tryScript(app, { scriptId: scriptId(id), version, said: said.map(asSaid), answers: known, variables: membersOf(variables) });
    },
    checkScriptUtterances: (_root, { id, version = null }, { app }) => checkUtterances(app, scriptId(id), version),
  },
  Mutation: {
    saveScript: fromRoute(saveScriptRoute, (app, caller, body) => saveScript(app, caller, { ...body, id: body.id ?? null })),
    deleteScript: async (_root, { id }, context, info) => {
      const script = existing(await context.loaders.scripts.load(scriptId(id)));
      await deleteScript(context.app, callerOf(context, info), script.id);
      return script;
    },
    activateScript: (_root, { id, version = null, reason }, context, info) =>
      activateScript(context.app, callerOf(context, info), scriptId(id), { version, reason: reason ?? '' }),
    deactivateScript: (_root, { id, reason }, context, info) =>
      deactivateScript(context.app, callerOf(context, info), scriptId(id), reason ?? ''),
    saveScriptDraft: (_root, { id, input }, context, info) => {
      const { revision, ...graph } = parseAsBody({ body: draftBody }, given(input));
      return saveScriptDraft(context.app, callerOf(context, info), scriptId(id), { revision, graph });
    },
    discardScriptDraft: async (_root, { id, revision }, { app, loaders }) => {
      await discardScriptDraft(app, scriptId(id), revision);
      return existing(await loaders.scripts.load(scriptId(id)));
    },
    publishScript: (_root, { id, revision, reason, activate }, context, info) =>
      publishScript(context.app, callerOf(context, info), scriptId(id), { revision, reason: reason ?? '', isActivated: activate ?? true }),
    keepScriptUtterance: (_root, { id, input }, context, info) =>
      keepUtterance(context.app, callerOf(context, info), scriptId(id), parseAsBody({ body: utteranceBody }, input)),
    dropScriptUtterance: async (_root, { id, utteranceId }, { app, loaders }) => {
      await dropUtterance(app, scriptId(id), bigRowIdOf('utteranceId', utteranceId));
      return existing(await loaders.scripts.load(scriptId(id)));
    },
  },
  Script: {
    version: ({ currentVersion }) => currentVersion,
    business: ({ businessCode }, _args, { loaders }) => loaders.businesses.load(businessCode),
    isTaken: async ({ id, businessCode }, _args, { loaders }) => (await loaders.takenScripts.load(businessCode))?.id === id,
    draft: ({ id }, _args, { loaders }) => loaders.scriptDrafts.load(id),
    activations: ({ id }, _args, { loaders }) => loaders.scriptActivations.load(id),
    utterances: ({ id }, _args, { loaders }) => loaders.scriptUtterances.load(id),
    figures: ({ id }, _args, { app }) => readScriptFigures(app, id),
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
  ScriptDraft: { body: ({ body }) => toJson(body), faults: (draft, _args, { language }) => faultsOf(draft, language) },
  ScriptConnection: connectionFields(),
};

function scriptId(id: string): number {
  return rowIdOf('id', id, { of: 'Script' });
}

/** Errors: NOT_FOUND */
function existing(script: ScriptVersion | null): ScriptVersion {
  if (script === null) throw notFound('话术脚本');
  return script;
}

/** The value as JSON has it. */
function toJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

/** Silence counts as no words, too. */
function asSaid(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

function membersOf(value: JsonValue): Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** Problems that prevent a draft from being published first, then warnings. */
function faultsOf({ body }: ScriptDraft, language: Language) {
  const present = (isBlocking: boolean) => (fault: ScriptFault) => ({ ...fault, problem: wordsOf(fault.problem, language), isBlocking });
  return [...scriptFaults(body).map(present(true)), ...scriptNotes(body).map(present(false))];
}

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
