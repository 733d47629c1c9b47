import { auditRecordingRead, auditTranscriptRead, type ReadCall } from '#audit/access-audit.ts';
import { attemptFilterOf } from '#graph/inputs.ts';
import { callerOf } from '#graph/context.ts';
import type { QueryTranscriptHitsArgs, Resolvers } from '#graph/schema-types.generated.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { maskedValues } from '#phone-numbers/masked-answer.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { fromRoute } from '#graph/from-route.ts';
import { hiddenFieldsOf } from '#graph/hidden-fields.ts';
import { isInList } from '#platform/graphql/guard.ts';
import { bigRowIdOf, nullWhenAbsent, optionalRowId } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { attemptList } from './attempt-store.ts';
import { deleteAttempts } from './remove-attempts.ts';
import { deleteAttemptsRoute, HITS, searchedText } from './routes.ts';
import { searchTranscripts, type TranscriptSearch } from './search-transcripts.ts';

export const batchResolvers: Resolvers = {
  Query: {
    batch: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.batches.load(bigRowIdOf('id', id, 'Batch'))),
  },
  BatchConnection: connectionFields(),
};

export const attemptResolvers: Resolvers = {
  Query: {
    attempt: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.attempts.load(bigRowIdOf('id', id, 'Attempt'))),
    transcriptHits: (_root, args, context, info) => searchTranscripts(context.app, callerOf(context, info), searchOfArgs(args)),
    attempts: (_root, { filter, ...args }, { app }) => connectTo(app, attemptList, keyed(attemptFilterOf(filter), app.region), args),
  },
  Mutation: {
    deleteAttempts: fromRoute(deleteAttemptsRoute, (app, caller, { attemptIds }) => deleteAttempts(app, caller, attemptIds)),
  },
  Attempt: {
    recordingUrl: async ({ id, recordingUrl }, _args, { app, caller }, { path }) => {
      if (recordingUrl && caller && !isInList(path)) await auditRecordingRead(app, caller, attemptOf(id));
      return recordingUrl;
    },
    recording: ({ id, cellId, recordingUrl, durationSeconds }, _args, { app }) =>
      recordingUrl && app.recordings.keeps(cellId) ? { url: `api/recordings/${id}`, durationSeconds } : null,
    savedScript: async ({ scriptId, scriptVersion }, _args, { loaders }) => {
      const versions = scriptId === null ? [] : await loaders.scriptVersions.load(scriptId);
      return versions.find(({ version }) => version === scriptVersion) ?? null;
    },
    timeline: async ({ id }, _args, { loaders, app, caller }) => {
      const events = await loaders.timelines.load(id);
      if (caller && events.some(({ kind }) => kind === 'segment')) await auditTranscriptRead(app, caller, attemptOf(id));
      return events;
    },
    transcript: async ({ id }, _args, { loaders, app, caller }) => {
      const segments = await loaders.transcripts.load(id);
      if (caller && segments.length > 0) await auditTranscriptRead(app, caller, attemptOf(id));
      return segments;
    },
    dispositions: async ({ id }, _args, context) => {
      const [said, hidden] = await Promise.all([context.loaders.dispositions.load(id), hiddenFieldsOf(context, id)]);
      return said.map(({ fields, ...disposition }) => ({ ...disposition, fields: maskedValues(fields, hidden) }));
    },
    userHangup: ({ id }, _args, { loaders }) => loaders.userHangups.load(id),
  },
  AttemptConnection: connectionFields(),
  Contact: {
    attempts: ({ id }, args, { app }) => connectTo(app, attemptList, keyed(attemptFilterOf({ contactId: String(id) }), app.region), args),
  },
  TranscriptHit: {
    attempt: ({ attemptId }, _args, { loaders }) => loaders.attempts.load(attemptId),
  },
};

/** Errors: INVALID_ARGUMENT naming the argument */
function searchOfArgs({ text, campaignId, from, to, before, limit }: QueryTranscriptHitsArgs): TranscriptSearch {
  return {
    text: parseInput(searchedText, text, 'text'),
    campaignId: optionalRowId('campaignId', campaignId) ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
    before: typeof before === 'string' ? bigRowIdOf('before', before, 'Attempt') : undefined,
    limit: Math.max(1, Math.min(limit ?? HITS.whenAbsent, HITS.most)),
  };
}

function attemptOf(targetId: number): ReadCall {
  return { targetType: 'attempt', targetId };
}
