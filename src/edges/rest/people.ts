import { erasePersonRoute } from '#contract/rest/people.ts';
import { erasePerson, type ErasePersonDeps } from '#operations/people/erase-person.ts';
import { handler, type RestHandler } from './handler.ts';

export function peopleHandlers(deps: ErasePersonDeps): RestHandler[] {
  return [handler(erasePersonRoute, ({ params, caller }) => erasePerson(deps, caller, params.number))];
}
