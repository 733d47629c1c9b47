/** What the settings below are made of: ask it once, at build time. */
export const TYPES_QUERY = `{ __schema { types { kind name possibleTypes { name } fields(includeDeprecated: true) { name type { kind name ofType { kind name ofType { kind name } } }
  args { name } } } } }`;

/** Apollo Client: which types an interface or a union may be. */
export function possibleTypesOf({ __schema }) {
  const abstract = __schema.types.filter(({ possibleTypes }) => possibleTypes);
  return Object.fromEntries(abstract.map(({ name, possibleTypes }) => [name, possibleTypes.map(type => type.name)]));
}

/** Apollo Client: what has an `id` is kept by it alone, whatever has none is part of what holds it. `pages` makes the policy of a list that goes on. */
export function typePoliciesOf({ __schema }, pages) {
  return Object.fromEntries(
    objectsOf(__schema).map(type => {
      const connections = type.fields
        .filter(isConnection)
        .map(({ name, args }) => [name, pages(args.map(arg => arg.name).filter(isFilter))]);
      const fields = connections.length > 0 ? { fields: Object.fromEntries(connections) } : {};
      return [type.name, hasId(type) ? { keyFields: ['id'], ...fields } : { merge: !ROOTS.includes(type.name), ...fields }];
    }),
  );
}

/** urql's graphcache: the types that have no `id`. */
export function keysOf({ __schema }) {
  const parts = objectsOf(__schema).filter(type => !hasId(type) && !ROOTS.includes(type.name));
  return Object.fromEntries(parts.map(({ name }) => [name, () => null]));
}

const ROOTS = ['Query', 'Mutation', 'Subscription'];
const objectsOf = ({ types }) => types.filter(({ kind, name }) => kind === 'OBJECT' && !name.startsWith('__'));
const hasId = ({ fields }) => fields.some(({ name }) => name === 'id');
const isFilter = name => !['first', 'after', 'last', 'before'].includes(name);

function isConnection({ type }) {
  const named = type.name ?? type.ofType?.name ?? type.ofType?.ofType?.name;
  return named?.endsWith('Connection') === true;
}
