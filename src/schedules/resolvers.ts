import { z } from 'zod';
import { newRowsExport } from '#exports/export-request.ts';
import { callerOf } from '#graph/context.ts';
import { fromRoute, parseAsQuery } from '#graph/from-route.ts';
import { exportBodyOf } from '#graph/inputs.ts';
import type { MutationCreateReportScheduleArgs, MutationUpdateReportScheduleArgs, Resolvers } from '#graph/schema-types.generated.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { given, rowIdOf } from '#platform/graphql/row-id.ts';
import { createReportSchedule, deleteReportSchedule, runReportSchedule, updateReportSchedule } from './change-schedules.ts';
import { listScheduleTimes } from './list-times.ts';
import {
  createReportScheduleRoute,
  deleteReportScheduleRoute,
  listScheduleTimesRoute,
  runReportScheduleRoute,
  updateReportScheduleRoute,
} from './routes.ts';
import { getReportSchedule, listReportChannels, listReportSchedules, scheduleRunList } from './schedule-store.ts';

/** The input as the body of the row: an export is spelled as that of its own mutation. */
function bodyOf({ input }: MutationCreateReportScheduleArgs | MutationUpdateReportScheduleArgs): object {
  const { export: asked, ...others } = input;
  return { ...others, ...(asked && { export: exportBodyOf(asked, 'zh') }) };
}

export const scheduleResolvers: Resolvers = {
  Query: {
    reportSchedules: (_root, _args, context, info) => listReportSchedules(context.app, callerOf(context, info)),
    reportScheduleRuns: async (_root, { scheduleId: id, ...args }, context, info) => {
      const schedule = await getReportSchedule(context.app.db, callerOf(context, info), rowIdOf('scheduleId', id));
      return connectTo(context.app, scheduleRunList, { scheduleId: schedule.id }, args);
    },
    reportChannels: (_root, _args, { app }) => listReportChannels(app),
    reportScheduleTimes: (_root, args, { app }) => listScheduleTimes(app, parseAsQuery(listScheduleTimesRoute, given(args))),
  },
  Mutation: {
    createReportSchedule: fromRoute(createReportScheduleRoute, createReportSchedule, { bodyOf }),
    updateReportSchedule: fromRoute(updateReportScheduleRoute, updateReportSchedule, { bodyOf }),
    deleteReportSchedule: fromRoute(deleteReportScheduleRoute, deleteReportSchedule),
    runReportSchedule: fromRoute(runReportScheduleRoute, runReportSchedule, { of: 'ReportSchedule' }),
  },
  ReportSchedule: {
    // The field has the body of REST, with 0 and 1 for flags.
    export: ({ export: asked }) => (asked === null ? null : JSON.parse(JSON.stringify(z.encode(newRowsExport, asked)))),
  },
  ReportScheduleRunConnection: connectionFields(),
};
