import { listedValues, type ValueList } from './value-lists.ts';
import { findNames } from './names.ts';
import { findAddresses, findCities } from './places.ts';
import { type Reading, TOLD } from './readings.ts';
import type { Span } from './spoken-text.ts';

/** A candidate for a text field, with the way in which it was found. */
export interface TextCandidate extends Span {
  way: number;
}

const WAY = { name: 1, place: 2, city: 3, clause: 4, bare: 5, joined: 6, list: 10 } as const;
/** Most stretches that are weighed. */
const MAX_STRETCHES = 12;

/** A text field, prepared for reading. */
export interface TextAsked {
  reading: Reading;
  label: string;
  lists: readonly ValueList[];
}

/** Lists the candidates for a text field by its kind: values of common labels, names, places, clauses. */
export function textCandidates({ reading, label, lists }: TextAsked, text: string, clauses: readonly Span[]): TextCandidate[] {
  const found: TextCandidate[] = listedValues(lists, text).map(({ start, end, list }) => ({ start, end, way: WAY.list + list }));
  if (reading === 'name' || /姓名|联系人|收件人|户名/.test(label)) found.push(...findNames(text).map(span => ({ ...span, way: WAY.name })));
  if (reading === 'city') found.push(...findCities(text).map(span => ({ ...span, way: WAY.city })));
  if (reading === 'address' || /地点|地址|位置|在哪/.test(label))
    found.push(...findAddresses(text).map(span => ({ ...span, way: WAY.place })));
  if (TOLD.has(reading)) found.push(...toldClauses(text, clauses));
  return distinct(found).slice(0, MAX_STRETCHES);
}

function distinct(found: readonly TextCandidate[]): TextCandidate[] {
  const kept = new Map(found.toReversed().map(one => [`${one.start} ${one.end}`, one] as const));
  return [...kept.values()].sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Words that introduce or end a clause. */
const LEAD =
  /^(?:因为|由于|主要是?|就是(?:说|因为)?|原因(?:就)?是|嫌|是|那个|这个|嗯+|呃+|我(?:这边|这里)?|俺|你们|反正|可能是?|说是|现在|老是|最近|不想\p{Script=Han}{1,2})+(?=.{2})/u;
const TAIL = /(?:的|吧|啊|呀|哈|呢|嘛|咯|噢|哦|喽|呗)+$/;

/** Polite phrases, or that there is nothing to say. */
const COURTESY = /^(?:谢谢|多谢|好的?|行|再见|没了|就这样|麻烦|喂|你好|您好|没(?:有|得)?(?:什么|啥))/;

/** Returns each clause, with and without the words around its content. */
function toldClauses(text: string, clauses: readonly Span[]): TextCandidate[] {
  return clauses.flatMap(({ start, end }, at): TextCandidate[] => {
    const said = text.slice(start, end);
    const shown = end - (TAIL.exec(said)?.[0].length ?? 0);
    const lead = LEAD.exec(text.slice(start, shown))?.[0].length ?? 0;
    const next = clauses[at + 1];
    return [
      { start, end: shown, way: WAY.clause },
      ...(lead > 0 ? [{ start: start + lead, end: shown, way: WAY.bare }] : []),
      ...(next ? [{ start, end: next.end, way: WAY.joined }] : []),
    ].filter(one => one.end > one.start && !COURTESY.test(text.slice(one.start, one.end)));
  });
}
