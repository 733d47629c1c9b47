import { Button, Group, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadCsv } from '../../table/csv.ts';
import { formatTime } from '../../text/format.ts';
import { localOf } from '../../text/local-time.ts';
import type { Answer, AnswerRow } from './answer.ts';
import { AnswerChart } from './answer-chart.tsx';
import { AnswerTable } from './answer-table.tsx';
import { chartOf } from './chart-shape.ts';
import { CopyLink } from './copy-link.tsx';
import { ExportFigures } from './export-figures.tsx';
import { figureText } from './figure-words.ts';
import { HeatMap } from './heat-map.tsx';
import { heatOf } from './heat-shape.ts';
import { useKeyWords } from './key-words.ts';
import styles from './reports.module.css';
import { Headline } from './headline.tsx';
import { useCaps } from './use-caps.ts';
import { useReportRange } from './use-answer.ts';

interface AnswerViewProps {
  answer: Answer;
  /** Its rows in the order of the table. */
  rows: readonly AnswerRow[];
}

/** An answer: its totals, the row that stands out, the chart and the table. */
export function AnswerView({ answer, rows }: AnswerViewProps) {
  const { t } = useTranslation();
  const words = useKeyWords();
  const heat = useMemo(() => heatOf(answer), [answer]);
  const shape = useMemo(() => chartOf(answer, rows, words), [answer, rows, words]);
  const caps = useCaps(answer);
  return (
    <>
      <Headline answer={answer} caps={caps} />
      {heat ? (
        <HeatMap heat={heat} />
      ) : (
        shape && (
          <section className={`sheet ${styles.sheet}`}>
            <AnswerChart shape={shape} cap={caps.drawn} />
            {shape.left > 0 && (
              <Text size="sm" className="quiet">
                {t('reports.chartLeaves', { count: shape.left })}
              </Text>
            )}
          </section>
        )
      )}
      <section className={`sheet ${styles.sheet}`}>
        <Group justify="space-between" mb="xs">
          <Title order={2}>{t('reports.table')}</Title>
          <Group gap="md">
            {answer.asOf !== null && (
              <Text size="sm" className="quiet">
                {t('reports.asOf', { at: formatTime(answer.asOf) })}
              </Text>
            )}
            <Acts answer={answer} rows={rows} />
          </Group>
        </Group>
        <AnswerTable answer={answer} rows={rows} />
        {answer.groupCount > rows.length && (
          <Text size="sm" className="quiet" mt="xs">
            {t('reports.rowsLeft', { shown: rows.length, all: answer.groupCount })}
          </Text>
        )}
      </section>
    </>
  );
}

function Acts({ answer, rows }: AnswerViewProps) {
  const { t } = useTranslation();
  const name = useFileName(answer);
  const download = () => downloadCsv(name, csvRows(answer, rows, t('reports.all')));
  return (
    <Group gap="xs">
      <CopyLink />
      <Button variant="default" size="compact-sm" onClick={download}>
        {t('reports.download')}
      </Button>
      <ExportFigures groups={answer.groupCount} />
    </Group>
  );
}

/** Names the file by its first figure, its groupings, and its first and last day in the business time zone. */
function useFileName({ figures, heads }: Answer): string {
  const range = useReportRange();
  // The range ends before `to`.
  const days = range ? [range.from, new Date(Date.parse(range.to) - 1).toISOString()].map(at => localOf(at).slice(0, 10)).join('_') : '';
  return ['callout', figures[0]?.name, ...heads.map(({ dimension }) => dimension?.toLowerCase()), days].filter(Boolean).join('-');
}

function csvRows({ heads, figures, total, detailTitle }: Answer, rows: readonly AnswerRow[], all: string) {
  const units = figures.map(({ unit }) => unit);
  const written = (values: readonly (number | null)[]) => units.map((unit, place) => figureText(values[place] ?? null, unit));
  const detail = (text: string | null) => (detailTitle === null ? [] : [text ?? '']);
  return [
    [...heads.map(({ title }) => title), ...figures.map(({ title }) => title), ...detail(detailTitle)],
    ...rows.map(({ keys, values, ...row }) => [...keys.map(({ label }) => label), ...written(values), ...detail(row.detail)]),
    ...(total === null || heads.length === 0 ? [] : [[all, ...heads.slice(1).map(() => ''), ...written(total), ...detail('')]]),
  ];
}
