import type { Resolvers } from '#graph/schema-types.generated.ts';
import { readRecordingHealth } from './recording-health.ts';

export const recordingResolvers: Resolvers = {
  Query: {
    recordingHealth: (_root, _args, { app }) => readRecordingHealth(app),
  },
  Attempt: {
    recordingCheck: ({ id }, _args, { loaders }) => loaders.recordingChecks.load(id),
  },
};
