import { erasePersonRoute } from './routes.ts';
import { attemptList } from '#attempts/attempt-store.ts';
import { connectTo } from '#platform/graphql/connection.ts';
import { numberFault, type NumberOptions } from '#phone-numbers/carriers.ts';
import { nationalNumber } from '#phone-numbers/dialled-number.ts';
import { contactsOfPerson, doNotCallOfPerson, erasePerson, personOf } from './erase-person.ts';
import { fromRoute, parseAsParams } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

/** Number check without a restriction of carrier or landline, as for a file without options. Source: D6.3 */
const ANY_KIND: Omit<NumberOptions, 'region'> = { carriers: [], landline: 'allow' };

export const peopleResolvers: Resolvers = {
  Query: {
    person: (_root, args, { app }) => personOf(parseAsParams(erasePersonRoute, args).number, app.region),
  },
  Mutation: {
    eraseContact: fromRoute(erasePersonRoute, erasePerson),
  },
  Person: {
    phoneNumber: ({ dialKey }, _args, { app }) => nationalNumber(dialKey, app.region),
    numberFault: ({ dialKey }, _args, { app: { region } }) => numberFault(nationalNumber(dialKey, region), { ...ANY_KIND, region }),
    contacts: (person, _args, { app }) => contactsOfPerson(app, person),
    attempts: async ({ dialKey }, args, { app }) => connectTo(app, attemptList, { dialKeys: await app.persons.findKeys(dialKey) }, args),
    doNotCall: (person, _args, { app }) => doNotCallOfPerson(app, person),
  },
};
