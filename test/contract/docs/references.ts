/** Local references of a document without a target. */
export function danglingReferences(document: object): string[] {
  const text = JSON.stringify(document);
  const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference));
  return [...references].filter(reference => find(document, reference) === undefined);
}

function find(document: object, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  const path = reference
    .slice(2)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    document,
  );
}
