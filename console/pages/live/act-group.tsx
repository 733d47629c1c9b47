import type { ReactNode } from 'react';
import styles from './live.module.css';

interface ActGroupProps {
  label: string;
  /** Note that the user should read before pressing. */
  note?: ReactNode;
  children: ReactNode;
}

/** Actions of one kind in a row after their label. */
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
