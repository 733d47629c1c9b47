import { callStatsAsked, type CallStatsQuestion } from '#call-stats/call-stat.ts';
import { DIMENSIONS, FILTERS } from '#call-stats/decisions/dimensions.ts';
import { isOneOf, keysOf } from '#kernel/typed.ts';

/** The question of a saved report without its range of time. */
export type KeptQuestion =
  | { report: 'calls'; asked: Omit<CallStatsQuestion, 'from' | 'to' | 'timeZone'> }
  | { report: 'agents'; groupId: number | undefined; order: KeptOrder | null }
  | { report: 'nodes'; scriptId: number; order: KeptOrder | null };

export interface KeptOrder {
  /** Name of a figure. */
  figure: string;
  isAscending: boolean;
}

/** Measures of an address that names none, as on the console's page. */
const USUAL_MEASURES = ['dials', 'answered', 'answer_rate'];
const USUAL_GROUPS = 'day';

/** Filters whose values are numbers. */
const NUMBERS: readonly string[] = ['campaignIds', 'lineIds', 'agentIds', 'agentGroupIds', 'scriptIds', 'attemptNumbers'];

/**
 * Reads a question as a saved report keeps it: the parameters of the console's page of reports. Names that this version does not know are left
 * out, as the page leaves them out.
 *
 * Shape:  null when the text is no question that can be answered, such as one by script that names no script
 */
export function parseKeptQuestion(text: string): KeptQuestion | null {
  const query = new URLSearchParams(text);
  const report = query.get('report');
  if (report === 'agents') return { report, groupId: idIn(query, 'agent_group'), order: orderIn(query) };
  return report === 'nodes' ? nodeQuestion(query) : callQuestion(query);
}

function nodeQuestion(query: URLSearchParams): KeptQuestion | null {
  const scriptId = idIn(query, 'script');
  return scriptId === undefined ? null : { report: 'nodes', scriptId, order: orderIn(query) };
}

function callQuestion(query: URLSearchParams): KeptQuestion | null {
  const named = namesIn(query.get('m') ?? '');
  const measures = named.length > 0 ? named : USUAL_MEASURES;
  const groupBy = namesIn(query.get('by') ?? USUAL_GROUPS).filter(name => isOneOf(DIMENSIONS, name) && name !== 'result_field');
  const order = orderIn(query);
  const orderBy = order && measures.includes(order.figure) && { measure: order.figure, direction: order.isAscending ? 'asc' : 'desc' };
  const parsed = callStatsAsked.safeParse({ measures, groupBy: groupBy.slice(0, 3), filter: filterIn(query), ...(orderBy && { orderBy }) });
  return parsed.success ? { report: 'calls', asked: parsed.data } : null;
}

function filterIn(query: URLSearchParams): object {
  const members = keysOf(FILTERS).flatMap(member => {
    const values = namesIn(query.get(FILTERS[member]) ?? '').map(valueOf);
    return values.length === 0 ? [] : [[member, NUMBERS.includes(member) ? values.map(Number) : values]];
  });
  return Object.fromEntries(members);
}

/** `~` stands for an empty value. */
function valueOf(text: string): string {
  if (text === '~') return '';
  try {
    return decodeURIComponent(text);
  } catch {
    // Somebody cut the address in the middle of a character.
    return text;
  }
}

function idIn(query: URLSearchParams, name: string): number | undefined {
  const id = Number(namesIn(query.get(name) ?? '')[0]);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function orderIn(query: URLSearchParams): KeptOrder | null {
  const text = query.get('sort') ?? '';
  const figure = text.replace(/^-/, '');
  return figure === '' ? null : { figure, isAscending: !text.startsWith('-') };
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(',').filter(name => name !== ''))];
}

/** The same question in a range of days, as the console's page reads its address. */
export function questionIn(text: string, { from, to }: { from: string; to: string }): string {
  const query = new URLSearchParams(text);
  query.delete('span');
  query.set('from', from);
  query.set('to', to);
  return query.toString();
}
