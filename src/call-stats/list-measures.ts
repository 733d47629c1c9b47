import type { Language } from '#kernel/problem.ts';
import type { MeasureRow } from './call-stat.ts';
import { MEASURE_NAMES, measureOf } from './decisions/measures.ts';

/** The dictionary of figures in one language. */
export function listMeasures(language: Language): MeasureRow[] {
  return MEASURE_NAMES.map(name => {
    const { unit, title, definition } = measureOf(name);
    return { name, unit, title: title[language], definition: definition[language] };
  });
}
