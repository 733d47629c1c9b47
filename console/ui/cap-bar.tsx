import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount } from '../text/format.ts';
import styles from './cap-bar.module.css';

interface CapBarProps {
  name: string;
  /** Accessible name, where no visible name is beside the bar. */
  label?: string;
  active: number;
  /** 0: no limit. */
  cap: number;
  note?: ReactNode;
  /** Link of the name. */
  to?: string;
}

/** Load of something relative to its limit. */
export function CapBar({ name, label = name, active, cap, note, to }: CapBarProps) {
  const { t } = useTranslation();
  const share = cap > 0 ? Math.min(1, active / cap) : 0;
  const figure = cap > 0 ? `${formatCount(active)} / ${formatCount(cap)}` : t('capBar.uncapped', { active: formatCount(active) });
  return (
    <div className={styles.row}>
      <span className={styles.name}>
        {to ? <Link to={to}>{name}</Link> : name} {note}
      </span>
      <span>{figure}</span>
      <div
        className={styles.track}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={cap || active || 1}
        aria-valuenow={active}
        aria-valuetext={figure}
      >
        <div className={`${styles.fill} ${share >= 1 ? styles.full : ''}`} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
