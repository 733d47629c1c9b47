import { callerOf } from '#graph/context.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { createSavedReport, deleteSavedReport, isOwn, updateSavedReport } from './change-saved-reports.ts';
import { createSavedReportRoute, deleteSavedReportRoute, updateSavedReportRoute } from './routes.ts';
import { listSavedReports } from './saved-report-store.ts';

export const savedReportResolvers: Resolvers = {
  Query: {
    savedReports: (_root, _args, context, info) => listSavedReports(context.app, callerOf(context, info)),
  },
  Mutation: {
    createSavedReport: fromRoute(createSavedReportRoute, createSavedReport),
    updateSavedReport: fromRoute(updateSavedReportRoute, updateSavedReport),
    deleteSavedReport: fromRoute(deleteSavedReportRoute, deleteSavedReport),
  },
  SavedReport: {
    mayChange: (report, _args, context, info) => isOwn(report, callerOf(context, info)),
  },
};
