import { Table, Tooltip } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { type Answer, type AnswerRow, type Figure, isShaky } from './answer.ts';
import { callsPath } from './calls-path.ts';
import { figureWords } from './figure-words.ts';
import { useKeyWords } from './key-words.ts';
import styles from './reports.module.css';
import { useQuestion } from './use-question.ts';

/** Rows drawn at first: more would cost time at each change of the question. */
const MOST_DRAWN = 200;

/** The figures of the chart, all groups together first; a click on a heading sorts. */
export function AnswerTable({ answer, rows }: { answer: Answer; rows: readonly AnswerRow[] }) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const { heads, figures, total, detailTitle } = answer;
  const drawn = isWhole ? rows : rows.slice(0, MOST_DRAWN);
  return (
    <div className={styles.scroll} role="region" aria-label={t('reports.table')} tabIndex={0}>
      <Table stickyHeader verticalSpacing={6}>
        <Heads answer={answer} />
        <Table.Tbody>
          {total !== null && (
            <Table.Tr className={styles.all}>
              {heads.map(({ title }, place) => (
                <Table.Td key={title}>{place === 0 && t('reports.all')}</Table.Td>
              ))}
              {figures.map(({ name, unit }, place) => (
                <Table.Td key={name} ta="right">
                  {figureWords(total[place] ?? null, unit)}
                </Table.Td>
              ))}
              {detailTitle !== null && <Table.Td />}
            </Table.Tr>
          )}
          {heads.length > 0 && drawn.map(row => <Row key={row.keys.map(({ value }) => value).join('\n')} answer={answer} row={row} />)}
        </Table.Tbody>
      </Table>
      {drawn.length < rows.length && (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          {t('reports.drawAll', { count: rows.length })}
        </button>
      )}
    </div>
  );
}

function Heads({ answer: { heads, figures, detailTitle } }: { answer: Answer }) {
  const { question, ask } = useQuestion();
  const { sort } = question;
  const direction = (name: string | null) => (sort?.measure !== name ? 'none' : sort?.isAscending ? 'ascending' : 'descending');
  const isByKeys = !figures.some(({ name }) => name === sort?.measure);
  return (
    <Table.Thead>
      <Table.Tr>
        {heads.map(({ title }, place) => (
          <Table.Th key={title} aria-sort={isByKeys && place === 0 ? 'ascending' : 'none'}>
            <SortButton act={() => ask({ sort: null })} mark={isByKeys && place === 0 ? ' ↑' : ''}>
              {title}
            </SortButton>
          </Table.Th>
        ))}
        {figures.map(figure => (
          <FigureHead key={figure.name} figure={figure} direction={direction(figure.name)} />
        ))}
        {detailTitle !== null && <Table.Th>{detailTitle}</Table.Th>}
      </Table.Tr>
    </Table.Thead>
  );
}

function FigureHead({
  figure: { name, title, definition },
  direction,
}: {
  figure: Figure;
  direction: 'none' | 'ascending' | 'descending';
}) {
  const { ask } = useQuestion();
  const mark = { none: '', ascending: ' ↑', descending: ' ↓' }[direction];
  return (
    <Table.Th ta="right" aria-sort={direction}>
      <Tooltip label={definition} disabled={!definition} multiline maw={320}>
        <span>
          <SortButton act={() => ask({ sort: { measure: name, isAscending: direction === 'descending' } })} mark={mark}>
            {title}
          </SortButton>
        </span>
      </Tooltip>
    </Table.Th>
  );
}

function SortButton({ act, mark, children }: { act: () => void; mark: string; children: ReactNode }) {
  return (
    <button type="button" className={`link ${styles.sort}`} onClick={act}>
      {children}
      <span aria-hidden>{mark}</span>
    </button>
  );
}

function Row({ answer: { heads, figures, detailTitle }, row }: { answer: Answer; row: AnswerRow }) {
  const words = useKeyWords();
  const { question } = useQuestion();
  const [query] = useSearchParams();
  const path = callsPath(question, row.keys, query);
  return (
    <Table.Tr>
      {heads.map(({ title, dimension }, place) => {
        const key = row.keys[place];
        const label = key && (dimension ? words(dimension, key.value, key.label) : key.label);
        return (
          <Table.Td key={title} fw={place === 0 ? 600 : undefined} className={styles.key}>
            {place === 0 && path !== null ? <Link to={path}>{label}</Link> : label}
          </Table.Td>
        );
      })}
      {figures.map((figure, place) => (
        <Table.Td key={figure.name} ta="right" className={isShaky(figure, row) ? 'quiet' : undefined}>
          {figureWords(row.values[place] ?? null, figure.unit)}
        </Table.Td>
      ))}
      {detailTitle !== null && <Table.Td>{row.detail}</Table.Td>}
    </Table.Tr>
  );
}
