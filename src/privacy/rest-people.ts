import { erasePersonRoute } from './people.ts';
import { erasePerson, type ErasePersonDeps } from './erase-person.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

export function peopleHandlers(deps: ErasePersonDeps): RestHandler[] {
  return [handler(erasePersonRoute, ({ params, caller }) => erasePerson(deps, caller, params.number))];
}
