import { erasePersonRoute } from '#contract/rest/people.ts';
import { contactsOfPerson, doNotCallOfPerson, personOf } from '#operations/people/get-person.ts';
import { parseAsParams } from '../route-params.ts';
import type { Resolvers } from '../schema-types.generated.ts';

export const peopleResolvers: Resolvers = {
  Query: {
    person: (_root, args) => personOf(parseAsParams(erasePersonRoute, args).number),
  },
  Person: {
    phoneNumber: ({ dialKey }) => dialKey,
    contacts: (person, _args, { deps }) => contactsOfPerson(deps, person),
    doNotCall: (person, _args, { deps }) => doNotCallOfPerson(deps, person),
  },
};
