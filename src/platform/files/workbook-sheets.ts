import { attributeOf, textOfPart } from './markup.ts';

/** A sheet as declared in the workbook. */
export interface WorkbookSheet {
  name: string;
  isHidden: boolean;
  /** Path in the archive; null when the archive does not give it. */
  path: string | null;
}

type Parts = Readonly<Record<string, Uint8Array>>;

/** The sheets of a workbook, in order. */
export function sheetsOf(parts: Parts): WorkbookSheet[] {
  const targets = targetsOf(parts);
  const sheets = textOfPart(parts, 'xl/workbook.xml').matchAll(/<(?:\w+:)?sheet\s([^<>]*)>/g);
  return [...sheets].flatMap(([, attributes = '']) => {
    const name = attributeOf(attributes, 'name');
    if (!name) return [];
    const target = targets.get(attributeOf(attributes, String.raw`\w+:id`) ?? '');
    return [{ name, isHidden: /hidden/i.test(attributeOf(attributes, 'state') ?? ''), path: target ?? null }];
  });
}

/** Paths of the workbook's parts by relationship id. */
function targetsOf(parts: Parts): ReadonlyMap<string, string> {
  const relations = textOfPart(parts, 'xl/_rels/workbook.xml.rels').matchAll(/<(?:\w+:)?Relationship\s([^<>]*)>/g);
  return new Map(
    [...relations].map(([, attributes = '']) => {
      const target = attributeOf(attributes, 'Target') ?? '';
      return [attributeOf(attributes, 'Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`];
    }),
  );
}
