import { erasePersonRoute } from '#contract/rest/people.ts';
import { numberFault, type NumberOptions } from '#operations/importing/number-check.ts';
import { contactsOfPerson, doNotCallOfPerson, personOf } from '#operations/people/get-person.ts';
import { parseAsParams } from '../route-params.ts';
import type { Resolvers } from '../schema-types.generated.ts';

/** As a file is checked of which nothing else is said. Source: D6.3 */
const ANY_CHINESE: NumberOptions = { region: 'CN', carriers: [], landline: 'allow' };

export const peopleResolvers: Resolvers = {
  Query: {
    person: (_root, args) => personOf(parseAsParams(erasePersonRoute, args).number),
  },
  Person: {
    phoneNumber: ({ dialKey }) => dialKey,
    numberFault: ({ dialKey }) => numberFault(dialKey, ANY_CHINESE),
    contacts: (person, _args, { deps }) => contactsOfPerson(deps, person),
    doNotCall: (person, _args, { deps }) => doNotCallOfPerson(deps, person),
  },
};
