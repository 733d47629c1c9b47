import type { CallDimension, CallFate, CallHandler, CallStatsFilter } from './reports.generated.ts';

/** Groupings by time, which are drawn from left to right. */
export const TIMES = ['HOUR', 'HOUR_OF_DAY', 'WEEKDAY', 'DAY', 'WEEK', 'MONTH'] as const satisfies readonly CallDimension[];

/** Groupings that calls may also be filtered by. */
export const FACTS = [
  'CAMPAIGN',
  'LINE',
  'NUMBER',
  'AGENT',
  'AGENT_GROUP',
  'OUTCOME',
  'HANDLED_BY',
  'SCRIPT',
  'SCRIPT_VERSION',
  'CLASSIFICATION',
  'INTENT',
  'ATTEMPT_NUMBER',
  'BUSINESS',
  'CELL',
  'CURRENCY',
] as const satisfies readonly CallDimension[];

export type Fact = (typeof FACTS)[number];
export type Dimension = Fact | (typeof TIMES)[number];
export const DIMENSIONS: readonly Dimension[] = [...TIMES, ...FACTS];

export const MAX_GROUPINGS = 3;

/** Subjects of reports: calls, the work of agents, or the nodes of one script. */
const REPORTS = ['calls', 'agents', 'nodes'] as const;
export type Report = (typeof REPORTS)[number];

/** What a report is filtered by; what was chosen for another one is not in force. */
const FACTS_OF: Readonly<Record<Report, readonly Fact[]>> = { calls: FACTS, agents: ['AGENT_GROUP'], nodes: ['SCRIPT'] };

/** Chosen values by dimension; an empty text stands for "none". */
export type Chosen = Partial<Record<Fact, readonly string[]>>;

export interface Sort {
  /** In small letters. */
  measure: string;
  isAscending: boolean;
}

/** A question but for its range of time, which the picker of ranges keeps. */
export interface Question {
  report: Report;
  /** In small letters. */
  measures: readonly string[];
  groupBy: readonly Dimension[];
  chosen: Chosen;
  /** Null: by the groups. */
  sort: Sort | null;
}

/** The question of an address that names none. */
export const USUAL: Question = {
  report: 'calls',
  measures: ['dials', 'answered', 'answer_rate'],
  groupBy: ['DAY'],
  chosen: {},
  sort: null,
};

/** Parameter value for "no grouping"; an absent parameter means the default grouping. */
const NOTHING = 'none';

/** Parameters of a question in the address, beside those of its range. */
export function questionOf(query: URLSearchParams): Question {
  const measures = namesIn(query.get('m') ?? '').filter(name => /^[a-z][a-z0-9_]{0,63}$/.test(name));
  const report = REPORTS.find(name => name === query.get('report')) ?? 'calls';
  const isOfCalls = report === 'calls';
  return {
    report,
    measures: isOfCalls ? (measures.length > 0 ? measures : USUAL.measures) : [],
    groupBy: isOfCalls ? groupingsOf(query.get('by')) : [],
    chosen: Object.fromEntries(FACTS.flatMap(fact => (query.has(keyOf(fact)) ? [[fact, valuesIn(query.get(keyOf(fact)) ?? '')]] : []))),
    sort: sortOf(query.get('sort') ?? ''),
  };
}

function groupingsOf(text: string | null): readonly Dimension[] {
  if (text === null) return USUAL.groupBy;
  const found = namesIn(text).flatMap(name => DIMENSIONS.filter(dimension => keyOf(dimension) === name));
  return found.slice(0, MAX_GROUPINGS);
}

function sortOf(text: string): Sort | null {
  const measure = text.replace(/^-/, '');
  return /^[a-z][a-zA-Z0-9_]{0,63}$/.test(measure) ? { measure, isAscending: !text.startsWith('-') } : null;
}

/** The address of a question, with the range of `before`. */
export function addressOf(question: Question, before: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams();
  for (const name of ['span', 'from', 'to']) if (before.has(name)) after.set(name, before.get(name) ?? '');
  if (question.report !== 'calls') after.set('report', question.report);
  if (question.report === 'calls') {
    after.set('m', question.measures.join(','));
    after.set('by', question.groupBy.length === 0 ? NOTHING : question.groupBy.map(keyOf).join(','));
  }
  for (const fact of FACTS_OF[question.report]) setValues(after, fact, question.chosen[fact]);
  if (question.sort) after.set('sort', `${question.sort.isAscending ? '' : '-'}${question.sort.measure}`);
  return after;
}

function setValues(query: URLSearchParams, fact: Fact, values: readonly string[] | undefined): void {
  if (values && values.length > 0) query.set(keyOf(fact), values.map(written).join(','));
}

/** The name of a dimension in addresses and texts. */
export function keyOf(dimension: Dimension): string {
  return dimension.toLowerCase();
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(',').filter(name => name !== ''))];
}

/** A value without commas; `~` stands for an empty one. */
function written(value: string): string {
  return value === '' ? '~' : encodeURIComponent(value).replaceAll('~', '%7E');
}

function valuesIn(text: string): string[] {
  return namesIn(text).map(value => (value === '~' ? '' : decoded(value)));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Somebody cut the address in the middle of a character.
    return value;
  }
}

/** Whether two questions are the same but for filters and order. Only those about calls choose figures and groups. */
export function isSameQuestion(one: Question, other: Question): boolean {
  if (one.report !== other.report) return false;
  return one.report !== 'calls' || (String(one.measures) === String(other.measures) && String(one.groupBy) === String(other.groupBy));
}

const FATES = [
  'NO_ANSWER',
  'BUSY',
  'REJECTED',
  'POWER_OFF',
  'OUT_OF_SERVICE',
  'INVALID_NUMBER',
  'NETWORK_BUSY',
  'VOICEMAIL',
  'SCREENING',
  'FAX',
  'ABANDONED',
  'SILENT',
  'SHORT',
  'COMPLETED',
  'OPTED_OUT',
  'LOCAL_FAILURE',
  'UNKNOWN',
  'IN_PROGRESS',
  'WITHDRAWN',
] as const satisfies readonly CallFate[];

const HANDLERS = ['NONE', 'BOT', 'PERSON'] as const satisfies readonly CallHandler[];

/** Values of `names` that were chosen, which the address has in small letters. */
function enumsOf<Name extends string>(names: readonly Name[], values: readonly string[]): Name[] {
  return names.filter(name => values.includes(name.toLowerCase()));
}

/** Converts the chosen values of each filter to the server's input. */
const ASKED: Readonly<Record<Fact, (values: string[]) => CallStatsFilter>> = {
  CAMPAIGN: campaignIds => ({ campaignIds }),
  LINE: lineIds => ({ lineIds }),
  NUMBER: numbers => ({ numbers }),
  AGENT: agentIds => ({ agentIds }),
  AGENT_GROUP: agentGroupIds => ({ agentGroupIds }),
  OUTCOME: values => ({ outcomes: enumsOf(FATES, values) }),
  HANDLED_BY: values => ({ handledBy: enumsOf(HANDLERS, values) }),
  SCRIPT: scriptIds => ({ scriptIds }),
  SCRIPT_VERSION: scriptVersions => ({ scriptVersions }),
  CLASSIFICATION: classifications => ({ classifications }),
  INTENT: intents => ({ intents }),
  ATTEMPT_NUMBER: values => ({ attemptNumbers: values.map(Number) }),
  BUSINESS: businessCodes => ({ businessCodes }),
  CELL: cellIds => ({ cellIds }),
  CURRENCY: currencies => ({ currencies }),
};

export function filterOf(chosen: Chosen): CallStatsFilter {
  return Object.assign({}, ...FACTS.flatMap(fact => (chosen[fact]?.length ? [ASKED[fact]([...(chosen[fact] ?? [])])] : [])));
}
