import { fromRoute } from '#graph/from-route.ts';
import { hiddenFieldsOf } from '#graph/hidden-fields.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import type { Caller } from '#kernel/caller.ts';
import { hiddenNumber, maskedMembers, maskedValues } from '#phone-numbers/masked-answer.ts';
import { maySeeNumbers, type ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import { type ResultField, type ResultValue, typeOfField } from '#scripts/decisions/result-field.ts';
import { optionalRowId } from '#platform/graphql/row-id.ts';
import { readDeclaredFields, versionKey } from '#scripts/result-fields.ts';
import { correctResult } from './correct-result.ts';
import { describeFields } from './decisions/describe-fields.ts';
import { maskedCorrection } from './read-results.ts';
import { correctResultRoute } from './routes.ts';

export const resultResolvers: Resolvers = {
  Query: {
    resultFields: (_root, { campaignId }, { app }) =>
      readDeclaredFields(app, { campaignId: optionalRowId('campaignId', campaignId) ?? null }),
  },
  Attempt: {
    resultFields: async ({ id, scriptId, scriptVersion, resultFields, reportedResult }, _args, { loaders, app, caller }) => {
      if (scriptId === null || scriptVersion === null) return [];
      const declared = await loaders.versionFields.load(versionKey({ scriptId, version: scriptVersion }));
      const said = reportedResult === null ? null : await loaders.resultLayers.load(id);
      const fields = describeFields(declared?.fields ?? [], resultFields ?? {}, said?.layers ?? null);
      return seesNumbers(app, caller)
        ? fields
        : fields.map(field => ({ ...field, value: masked(field, field.value), reported: masked(field, field.reported) }));
    },
    reportedResult: async ({ id, reportedResult }, _args, context) =>
      reportedResult && { ...reportedResult, fields: maskedValues(reportedResult.fields, await hiddenFieldsOf(context, id)) },
    payload: async ({ id, payload }, _args, context) => maskedMembers(payload, await hiddenFieldsOf(context, id)),
    resultCorrections: async ({ id }, _args, context) => {
      const [corrections, hidden] = await Promise.all([context.loaders.resultCorrections.load(id), hiddenFieldsOf(context, id)]);
      return corrections.map(correction => maskedCorrection(correction, hidden));
    },
  },
  Contact: {
    resultFields: async ({ id }, _args, { loaders, app, caller }) => {
      const fields = await loaders.contactFields.load(id);
      return seesNumbers(app, caller) ? fields : fields.map(field => ({ ...field, value: masked(field, field.value) }));
    },
  },
  Mutation: {
    correctCallResult: fromRoute(correctResultRoute, correctResult),
  },
};

function seesNumbers(app: ShownNumbersPart, caller: Caller | null): boolean {
  return caller !== null && maySeeNumbers(app, caller);
}

/** The number of a customer in a field that was declared for one. */
function masked<Value extends ResultValue | null>(field: Pick<ResultField, 'type'>, value: Value): Value | string {
  return typeOfField(field) === 'phone' && typeof value === 'string' ? hiddenNumber(value) : value;
}
