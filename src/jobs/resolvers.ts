import { fromRoute } from '#graph/from-route.ts';
import { callerOf } from '#graph/context.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { ERROR_CODES, type ErrorCode, type InputFault, REASONS } from '#kernel/errors.ts';
import { problemOf } from '#kernel/problem.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { messageOf } from '#platform/graphql/language.ts';
import { bigRowIdOf, given, nullWhenAbsent } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { z } from 'zod';
import type { JobError } from './job.ts';
import { cancelJob, getJob, jobList, visibleTo } from './job-store.ts';
import { cancelJobRoute, jobFilter } from './routes.ts';

const filterShape = z.object({ filter: z.object(jobFilter) });

export const jobResolvers: Resolvers = {
  Query: {
    jobs: (_root, { filter, ...args }, context, info) => {
      const owner = visibleTo(callerOf(context, info));
      return connectTo(context.app, jobList, { ...parseInput(filterShape, { filter: given(filter) }, 'filter').filter, owner }, args);
    },
    job: (_root, { id }, context, info) => nullWhenAbsent(() => getJob(context.app, callerOf(context, info), bigRowIdOf('id', id, 'Job'))),
  },
  Mutation: {
    cancelJob: fromRoute(cancelJobRoute, cancelJob),
  },
  JobConnection: connectionFields(),
  JobFailure: {
    message: (error, _args, { language }, { schema }) => messageOf({ ...error, ...readBack(error), field: undefined }, language, schema),
  },
};

/** Narrows an error from the row, which is plain JSON, to the types of the error catalogue. */
function readBack({ code, reason, faults }: JobError): {
  code: ErrorCode;
  reason: (typeof REASONS)[number] | undefined;
  faults: InputFault[];
} {
  return {
    code: Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'INTERNAL',
    reason: REASONS.find(known => known === reason),
    faults: faults.map(({ field, problem }) => ({ field, problem: problemOf(JSON.stringify(problem)) })),
  };
}
