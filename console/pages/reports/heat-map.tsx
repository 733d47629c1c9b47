import { useTranslation } from 'react-i18next';
import { formatCount, formatShare } from '../../text/format.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { FEW } from './answer.ts';
import { figureWords } from './figure-words.ts';
import { cellKey, type Heat } from './heat-shape.ts';
import { useKeyWords } from './key-words.ts';
import styles from './reports.module.css';

/** Share of the accent in the strongest cell, in per cent: the text upon it stays readable. */
const STRONGEST = 60;
const WEAKEST = 4;

/** Weekdays by hours, each cell as strong as its figure is high; in a narrow window hours go down and weekdays across. */
export function HeatMap({ heat }: { heat: Heat }) {
  const { t } = useTranslation();
  const words = useKeyWords();
  const isNarrow = useIsNarrow();
  const { figure } = heat;
  const [down, across] = isNarrow ? [heat.across, heat.down] : [heat.down, heat.across];
  const cellOf = (one: string, other: string) => heat.cells.get(isNarrow ? cellKey(other, one) : cellKey(one, other));
  const hourWords = (value: string, isHour: boolean) => (isHour ? value : words('WEEKDAY', value));
  return (
    <section className={`sheet ${styles.sheet}`}>
      <table className={styles.heat} aria-label={t('reports.heatOf', { figure: figure.title })}>
        <thead>
          <tr>
            <th scope="col">{t(isNarrow ? 'reports.dimension.hour_of_day' : 'reports.dimension.weekday')}</th>
            {across.values.map(value => (
              <th key={value} scope="col">
                {hourWords(value, !isNarrow)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {down.values.map(value => (
            <tr key={value}>
              <th scope="row">{hourWords(value, isNarrow)}</th>
              {across.values.map(other => (
                <Cell key={other} cell={cellOf(value, other)} figure={figure} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={`quiet ${styles.legend}`}>{t('reports.heatLegend', { figure: figure.title, few: FEW })}</p>
    </section>
  );
}

function Cell({ cell, figure }: { cell: ReturnType<Heat['cells']['get']>; figure: Heat['figure'] }) {
  const { t } = useTranslation();
  if (!cell) return <td />;
  const { row, value, strength } = cell;
  const percent = strength === null ? 0 : WEAKEST + strength * (STRONGEST - WEAKEST);
  const title = `${figure.title} ${figureWords(value, figure.unit)} · ${t('reports.dialsOf', { count: row.weight, calls: formatCount(row.weight) })}`;
  return (
    <td
      title={title}
      className={strength === null ? 'quiet' : undefined}
      style={{ background: `color-mix(in srgb, var(--mantine-color-accent-filled) ${percent}%, var(--sheet))` }}
    >
      {value === null ? '–' : figure.unit === 'SHARE' ? formatShare(value) : figureWords(value, figure.unit)}
    </td>
  );
}
