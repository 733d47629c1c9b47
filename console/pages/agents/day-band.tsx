import { useQuery } from '@apollo/client/react';
import { Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatSeconds, formatTime } from '../../text/format.ts';
import { BreakReasonsDocument } from '../dispositions/dispositions.generated.ts';
import { reasonLabel } from '../dispositions/reason-words.ts';
import type { AgentDaySpanFragment } from './agent-day.generated.ts';
import styles from './agent-day.module.css';

interface BandProps {
  states: readonly AgentDaySpanFragment[];
  /** Begin of the day. */
  from: string;
  /** End of what is known of it. */
  to: string;
}

/** Hours between two marks of the axis, and of a whole day. */
const MARK_HOURS = 3;
const DAY_HOURS = 24;
const MS_PER_HOUR = 3_600_000;

/** The states of a day over its hours; what is drawn stands as a table below. */
export function DayBand({ states, from, to }: BandProps) {
  const { t } = useTranslation();
  const words = useStateWords();
  const begin = msOf(from);
  // A day with a clock change has an hour more or less.
  const length = Math.max(DAY_HOURS * MS_PER_HOUR, msOf(to) - begin);
  const place = (at: string) => `${((msOf(at) - begin) / length) * 100}%`;
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('agentDay.states')}>
      <Title order={2} mb="sm">
        {t('agentDay.states')}
      </Title>
      {states.length === 0 && <Text className="quiet">{t('agentDay.noStates')}</Text>}
      <div className={styles.band} aria-hidden>
        {states.map(state => (
          <span
            key={state.from}
            className={styles[keyOf(state)]}
            style={{ left: place(state.from), width: `calc(${place(state.to)} - ${place(state.from)})` }}
            title={t('agentDay.span', { state: words(state), ...timesOf(state) })}
          />
        ))}
      </div>
      <div className={styles.axis} aria-hidden>
        {Array.from({ length: length / MS_PER_HOUR / MARK_HOURS }, (_, index) => begin + index * MARK_HOURS * MS_PER_HOUR).map(at => (
          <span key={at} style={{ left: `${((at - begin) / length) * 100}%` }}>
            {formatTime(at).slice(0, 5)}
          </span>
        ))}
      </div>
      <Totals states={states} words={words} />
      {states.length > 0 && <Spans states={states} words={words} />}
    </section>
  );
}

type Words = (state: Pick<AgentDaySpanFragment, 'state' | 'reason'>) => string;

/** The name of a state, of a break with its reason. */
function useStateWords(): Words {
  const { t } = useTranslation();
  const { data } = useQuery(BreakReasonsDocument);
  return ({ state, reason }) => {
    const name = t(`agentState.${state.toUpperCase()}`);
    if (reason === null) return name;
    const row = data?.breakReasons?.reasons.find(({ code }) => code === reason);
    return `${name} · ${row ? reasonLabel(row, t) : reason}`;
  };
}

interface OfStates {
  states: readonly AgentDaySpanFragment[];
  words: Words;
}

/** The legend of the band, with the time of each state. */
function Totals({ states, words }: OfStates) {
  const kinds = [...Map.groupBy(states, words)];
  return (
    <ul className={styles.legend}>
      {kinds.map(([name, spans]) => (
        <li key={name}>
          <span className={`${styles.dot} ${styles[keyOf(spans[0])]}`} aria-hidden />
          {name} <span className="quiet">{formatSeconds(spans.reduce((sum, span) => sum + secondsOf(span), 0))}</span>
        </li>
      ))}
    </ul>
  );
}

function Spans({ states, words }: OfStates) {
  const { t } = useTranslation();
  return (
    <details className={styles.spans}>
      <summary>{t('agentDay.spans')}</summary>
      <Table aria-label={t('agentDay.spans')}>
        <Table.Tbody>
          {states.map(span => (
            <Table.Tr key={span.from}>
              <Table.Td>{formatTime(span.from)}</Table.Td>
              <Table.Td>{formatTime(span.to)}</Table.Td>
              <Table.Td>{words(span)}</Table.Td>
              <Table.Td>{formatSeconds(secondsOf(span))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}

function timesOf(span: AgentDaySpanFragment): { from: string; to: string; for: string } {
  return { from: formatTime(span.from), to: formatTime(span.to), for: formatSeconds(secondsOf(span)) };
}

function secondsOf({ from, to }: AgentDaySpanFragment): number {
  return (msOf(to) - msOf(from)) / 1_000;
}

function keyOf(span: AgentDaySpanFragment | undefined): string {
  return span?.state.toUpperCase() ?? '';
}

function msOf(at: string): number {
  return new Date(at).getTime();
}
