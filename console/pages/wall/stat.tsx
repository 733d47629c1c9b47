import type { ReactNode } from 'react';
import styles from './stat.module.css';

interface StatProps {
  label: string;
  value: string;
  /** Limit after the value, such as `/ 30`. */
  cap?: string;
  note?: ReactNode;
  tone?: 'answered' | 'waiting' | 'failed' | 'person';
  children?: ReactNode;
}

/** One number of a dashboard: its name, value, note and sparkline. */
export function Stat({ label, value, cap, note, tone, children }: StatProps) {
  return (
    <section className={`sheet ${styles.stat}`} aria-label={label}>
      <span className="quiet">{label}</span>
      <span className={`${styles.value} ${tone ? `tone-${tone}` : ''}`}>
        {value}
        {cap && <span className={`quiet ${styles.cap}`}> {cap}</span>}
      </span>
      <span className={`quiet ${styles.note}`}>{note}</span>
      {children && <div className={styles.spark}>{children}</div>}
    </section>
  );
}
