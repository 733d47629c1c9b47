import type { ResultCondition } from '#attempts/decisions/result-condition.ts';
import type { Language } from '#kernel/problem.ts';

type Value = string | number | boolean | null | undefined | readonly ResultCondition[];

/** Filters that are UTC ms here, and texts in REST. */
const INSTANTS = ['from', 'to'];

/** The address of a list as a file, below the server's own, with REST's parameters. Empty members narrow nothing. */
export function exportAddress(
  of: 'calls' | 'contacts',
  { language, ...filter }: Readonly<Record<string, Value>> & { language: Language },
): string {
  const members: Readonly<Record<string, Value>> = { ...filter, language: spoken(language) };
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return `api/exports/${of}?${new URLSearchParams(given.map(([name, value]) => [name, textOf(name, value)])).toString()}`;
}

function textOf(name: string, value: Value): string {
  if (INSTANTS.includes(name)) return new Date(Number(value)).toISOString();
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'boolean' ? String(Number(value)) : String(value);
}

/** Omits Chinese, the default language of a file. */
function spoken(language: Language): Language | undefined {
  return language === 'zh' ? undefined : language;
}
