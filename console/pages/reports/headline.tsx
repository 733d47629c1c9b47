import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { type Answer, bestOf, FEW, nameOf } from './answer.ts';
import { figureWords } from './figure-words.ts';
import styles from './reports.module.css';
import type { Caps } from './use-caps.ts';
import { useQuestion } from './use-question.ts';

/** The figures of all groups together, and a sentence with the groups that have the highest one. */
export function Headline({ answer, caps }: { answer: Answer; caps: Caps }) {
  return (
    <section className={`sheet ${styles.headline}`}>
      <Totals answer={answer} />
      <BestOne answer={answer} />
      {caps.words !== null && <p className="quiet">{caps.words}</p>}
    </section>
  );
}

function Totals({ answer: { figures, total } }: { answer: Answer }) {
  if (total === null) return null;
  return (
    <dl className={styles.totals}>
      {figures.map(({ name, title, definition, unit }, place) =>
        (total[place] ?? null) === null ? null : (
          <Tooltip
            key={name}
            label={definition}
            disabled={!definition}
            multiline
            maw={320}
            events={{ hover: true, focus: true, touch: true }}
          >
            <div>
              <dt>{title}</dt>
              <dd>{figureWords(total[place] ?? null, unit)}</dd>
            </div>
          </Tooltip>
        ),
      )}
    </dl>
  );
}

function BestOne({ answer }: { answer: Answer }) {
  const { t } = useTranslation();
  const { question } = useQuestion();
  const best = bestOf(answer, question.sort);
  if (best === null) return null;
  const { figure, rows, value, hasPassed } = best;
  const weight = rows.reduce((sum, row) => sum + row.weight, 0);
  const calls = question.report === 'calls' && figure.name !== 'dials';
  return (
    <p role="status">
      {t(calls ? 'reports.bestOfCalls' : 'reports.best', {
        figure: figure.title,
        name: rows.map(nameOf).join(t('noun.between')),
        value: figureWords(value, figure.unit),
        count: weight,
        calls: formatCount(weight),
      })}{' '}
      {hasPassed && <span className="quiet">{t('reports.fewPassed', { few: FEW })}</span>}
    </p>
  );
}
