import { fromRoute } from '#graph/from-route.ts';
import type { MutationPlaceDialsArgs, Resolvers } from '#graph/schema-types.generated.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { bigRowIdOf, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import type { DialName } from './dial-rows.ts';
import { findDial } from './find-dial.ts';
import { requestDials } from './request-dials.ts';
import { phoneOf, placeDialsRoute, placeTestCallRoute } from './routes.ts';
import { placeTestCall } from './test-call.ts';

export const dialResolvers: Resolvers = {
  Query: {
    dial: (_root, { campaignId, ...name }, { app }) => nullWhenAbsent(() => findDial(app, rowIdOf('campaignId', campaignId), nameOf(name))),
  },
  Mutation: {
    placeDials: fromRoute(placeDialsRoute, (app, caller, campaignId, { dials }) => requestDials(app, caller, campaignId, dials), {
      bodyOf,
    }),
    placeTestCall: fromRoute(placeTestCallRoute, (app, caller, { id, contactId }, body) =>
      placeTestCall(app, caller, { campaignId: id, contactId, phoneNumber: phoneOf(body) }),
    ),
  },
  Dial: {
    contact: ({ contactId }, _args, { loaders }) => loaders.contacts.load(contactId),
  },
};

/** The scalar has read the instants already. */
function bodyOf({ dials }: MutationPlaceDialsArgs): object {
  return { dials: dials.map(dial => ({ ...dial, notBefore: written(dial.notBefore), notAfter: written(dial.notAfter) })) };
}

function written(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString();
}

/** Errors: INVALID_ARGUMENT unless exactly one is given */
function nameOf({ contactId, externalId }: { contactId?: string | null; externalId?: string | null }): DialName {
  const isOne = (contactId ?? '') === '' ? (externalId ?? '') !== '' : (externalId ?? '') === '';
  if (!isOne) throw invalidArgument('contactId', 'exactlyOne', { other: 'externalId' });
  return contactId ? { contactId: bigRowIdOf('contactId', contactId, 'Contact') } : { externalId: externalId ?? '' };
}
