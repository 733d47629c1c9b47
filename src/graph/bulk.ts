import type { GraphQLResolveInfo } from 'graphql';
import { type CalloutError, conflict, invalidArgument, isCalloutError, notFound } from '#kernel/errors.ts';
import { removeDoNotCall } from '#do-not-call/do-not-call-store.ts';
import { deletePolicy, updatePolicy } from '#policies/policy-store.ts';
import type { Caller } from '#kernel/caller.ts';
import type { LeftRows } from '#platform/postgres/bulk-result.ts';
import { updateCampaign } from '#campaigns/change-campaigns.ts';
import { type BulkOutcome, callerOf, type GraphContext } from './context.ts';
import { messageOf } from '#platform/graphql/language.ts';
import { findNode } from './nodes.ts';
import { nodeIdOf, rowIdOf } from '#platform/graphql/row-id.ts';
import type { RefusalReason, Resolvers } from './schema-types.generated.ts';
import { contactsLeft } from '#contacts/contact-store.ts';
import { attemptsLeft } from '#attempts/attempt-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { App } from '#app/app.ts';

/** Most rows of one bulk command, which runs one command per row in sequence. */
const MAX_BULK = 100;

type Change = (app: App, caller: Caller, id: number) => Promise<unknown>;

/** Commands for several rows. */
export const bulkResolvers: Resolvers = {
  Mutation: {
    startCampaigns: toEach('Campaign', (app, caller, id) => updateCampaign(app, caller, id, { status: 'running' })),
    pauseCampaigns: toEach('Campaign', (app, caller, id) => updateCampaign(app, caller, id, { status: 'paused' })),
    archiveCampaigns: toEach('Campaign', (app, caller, id) => updateCampaign(app, caller, id, { status: 'archived' })),
    enablePolicies: toEach('Policy', (app, caller, id) => updatePolicy(app, caller, id, { isEnabled: true })),
    disablePolicies: toEach('Policy', (app, caller, id) => updatePolicy(app, caller, id, { isEnabled: false })),
    deletePolicies: toEach('Policy', deletePolicy),
    removeDoNotCallEntries: toEach('DoNotCallEntry', removeDoNotCall),
  },
  BulkChange: {
    left: async ({ left }, _args, { app, language }, { schema }) =>
      (await explainLeft(app, left)).map(({ id, why }) => ({
        databaseId: String(id),
        code: why.code,
        reason: (why.reason ?? why.code) as RefusalReason,
        message: messageOf(why, language, schema),
      })),
  },
  BulkOutcome: {
    node: async ({ typeName, databaseId }, _args, context) =>
      (databaseId === null ? null : await findNode(context, nodeIdOf(typeName, databaseId))) as never,
  },
};

function toEach(typeName: string, change: Change) {
  return async (_root: unknown, args: { ids: readonly string[] }, context: GraphContext, info: GraphQLResolveInfo) => {
    const ids = bounded('ids', args.ids).map((id, index) => rowIdOf(`ids[${index}]`, id, { of: typeName }));
    const caller = callerOf(context, info);
    const outcomes: BulkOutcome[] = [];
    for (const databaseId of ids) {
      outcomes.push({ typeName, databaseId, ...(await refusalOf(context, info, () => change(context.app, caller, databaseId))) });
    }
    return outcomes;
  };
}

/** Errors: INVALID_ARGUMENT when the list is empty or too long */
export function bounded<Item>(name: string, items: readonly Item[]): readonly Item[] {
  if (items.length === 0 || items.length > MAX_BULK) throw invalidArgument(name, 'itemsBetween', { min: 1, max: MAX_BULK });
  return items;
}

/** Refusal of one row, by the catalogue; a fault of the server fails the whole command. */
export async function refusalOf(
  { language }: GraphContext,
  { schema }: GraphQLResolveInfo,
  change: () => Promise<unknown>,
): Promise<Pick<BulkOutcome, 'code' | 'reason' | 'message'>> {
  try {
    await change();
    return { code: null, reason: null, message: null };
  } catch (error) {
    if (!isCalloutError(error)) throw error;
    return { code: error.code, reason: error.reason ?? null, message: messageOf(error, language, schema) };
  }
}

interface LeftRow {
  id: number;
  why: CalloutError;
}

/** Returns why each row was skipped, judged by its current state. */
export async function explainLeft({ db }: Pick<Platform, 'db'>, left: LeftRows): Promise<LeftRow[]> {
  if (left.ids.length === 0) return [];
  const rows = await db.rows(left.of === 'contact' ? contactsLeft(left) : attemptsLeft(left));
  const isBusy = new Map(rows.map(row => [row.id, row.isBusy]));
  const what = left.of === 'contact' ? '联系人' : '通话记录';
  return left.ids.map(id => ({ id, why: whyLeft(isBusy.get(id), what) }));
}

function whyLeft(isBusy: boolean | undefined, what: string): CalloutError {
  if (isBusy === undefined) return notFound(what);
  return isBusy ? conflict('PERSON_IN_CALL', '正在通话中') : conflict('UNCHANGED', `${what}已是该状态`);
}
