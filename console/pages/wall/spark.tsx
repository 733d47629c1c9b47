import styles from './spark.module.css';

interface SparkProps {
  /** Description for screen readers. */
  label: string;
  /** Seconds since 1970 for each value. */
  times: readonly number[];
  values: readonly number[];
  /** A variable of theme.css. */
  color?: string;
}

/** Width in the drawing's own units; the page stretches it. */
const WIDTH = 100;
const HEIGHT = 34;
/** Keeps the line visible at its highest and lowest point. */
const MARGIN = 2;

/** A sparkline without axes: the figure beside it is the value, this is its course. */
export function Spark({ label, times, values, color = '--mantine-color-accent-filled' }: SparkProps) {
  return (
    <svg role="img" aria-label={label} className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      <polyline points={pointsOf(times, values)} stroke={`var(${color})`} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function pointsOf(times: readonly number[], values: readonly number[]): string {
  const [from = 0, to = from] = [times[0], times.at(-1)];
  const span = Math.max(1, to - from);
  const most = Math.max(1, ...values);
  return values
    .map((value, index) => {
      const x = (((times[index] ?? from) - from) / span) * WIDTH;
      const y = HEIGHT - MARGIN - (value / most) * (HEIGHT - 2 * MARGIN);
      return `${x.toFixed(2)},${y.toFixed(2)}`;
    })
    .join(' ');
}
