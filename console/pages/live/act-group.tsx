import type { ReactNode } from 'react';
import styles from './live.module.css';

interface ActGroupProps {
  label: string;
  /** What one should know before pressing. */
  note?: ReactNode;
  children: ReactNode;
}

/** Acts of one kind in a row behind their name. */
export function ActGroup({ label, note, children }: ActGroupProps) {
  return (
    <div className={styles.actGroup} role="group" aria-label={label}>
      <span className="quiet" aria-hidden>
        {label}
      </span>
      <div className={styles.acts}>{children}</div>
      {note && <div className={styles.actNote}>{note}</div>}
    </div>
  );
}
