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

/** Numbers of rows that were, or would be, imported, skipped and rejected. */
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
