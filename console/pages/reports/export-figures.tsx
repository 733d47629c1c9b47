import { ExportAct } from '../exports/export-act.tsx';
import { filterOf } from './question.ts';
import { useMeasures, useReportRange } from './use-answer.ts';
import { useQuestion } from './use-question.ts';

/** Exports the question of the page with all of its groups, in every format; agents and nodes have few rows and their download. */
export function ExportFigures({ groups }: { groups: number }) {
  const { question } = useQuestion();
  const range = useReportRange();
  const dictionary = useMeasures();
  if (question.report !== 'calls' || range === null) return null;
  const { chosen, groupBy, measures: wanted, sort } = question;
  const measures = wanted.flatMap(name =>
    dictionary.filter(measure => measure.name.toLowerCase() === name).map(({ name: found }) => found),
  );
  const order = measures.find(name => name.toLowerCase() === sort?.measure);
  const stats = {
    ...range,
    filter: filterOf(chosen),
    groupBy: [...groupBy],
    measures,
    ...(order && { orderBy: { measure: order, direction: sort?.isAscending ? ('ASC' as const) : ('DESC' as const) } }),
  };
  return <ExportAct kinds={['STATS']} filter={{ stats }} campaignId={null} total={groups} />;
}
