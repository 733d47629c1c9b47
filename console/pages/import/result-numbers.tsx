import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import styles from './import.module.css';
import type { ImportResult } from './use-import.ts';

const NUMBERS = [
  ['createdRows', 'tone-answered'],
  ['duplicateRows', 'tone-waiting'],
  ['failedRows', 'tone-failed'],
  ['totalRows', ''],
] as const;

/** What became, or would become, of the rows. */
export function ResultNumbers({ result }: { result: ImportResult }) {
  const { t } = useTranslation();
  return (
    <dl className={styles.numbers}>
      {NUMBERS.map(([name, tone]) => (
        <div key={name}>
          <dt className="quiet">{t(`import.${name}`)}</dt>
          <dd className={result[name] > 0 ? tone : 'quiet'}>{formatCount(result[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
