import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useMergedRef, useResizeObserver } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { businessZone } from '../../text/business-zone.ts';
import { formatCount, formatShare } from '../../text/format.ts';
import { currentLanguage } from '../../text/text.ts';
import { formatBeginning } from '../../text/zone.ts';
import { quartersUpTo } from './quarters.ts';
import styles from './trends.module.css';
import type { Point } from './use-trend.tsx';

const HEIGHT = 280;
/** Half of a day and of an hour, in s: margin so that the first and the last bar are drawn whole. */
const HALF_S = { day: 43_200, hour: 1_800 };
/** Width of a bar as a share of its day or hour. */
const BAR_SHARE = 0.7;
/** Height of the axis relative to the highest bar. */
const HEADROOM = 1.08;

/** Calls as bars, answered calls in front, and the answer rate as a line; the table below has the same figures. */
export function TrendChart({ points, unit }: { points: readonly Point[]; unit: 'day' | 'hour' }) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme();
  const place = useRef<HTMLDivElement | null>(null);
  const [sized, { width }] = useResizeObserver<HTMLDivElement>();
  const ref = useMergedRef(place, sized);
  const language = currentLanguage();
  useEffect(() => {
    const parent = place.current;
    if (!parent || width === 0) return undefined;
    const names = {
      at: t(`trends.${unit}`),
      attempts: t('trends.attempts'),
      answered: t('trends.answered'),
      rate: t('trends.answerRate'),
      whole: t('trends.whole'),
    };
    const plot = new uPlot(optionsOf(parent, { width, unit, names, points }), dataOf(points), parent);
    return () => plot.destroy();
  }, [width, points, unit, scheme, language, t]);
  return <div ref={ref} className={styles.chart} role="img" aria-label={t('trends.chart')} style={{ minHeight: HEIGHT }} />;
}

function dataOf(points: readonly Point[]): uPlot.AlignedData {
  return [
    points.map(({ at }) => at),
    points.map(({ attempts }) => attempts),
    points.map(({ answered }) => answered),
    points.map(answeredShare),
  ];
}

function sumOf(points: readonly Point[], name: 'attempts' | 'answered'): number {
  return points.reduce((sum, point) => sum + point[name], 0);
}

function answeredShare({ attempts, answered }: Pick<Point, 'attempts' | 'answered'>): number | null {
  return attempts === 0 ? null : answered / attempts;
}

interface Looks {
  width: number;
  unit: 'day' | 'hour';
  names: Record<'at' | 'attempts' | 'answered' | 'rate' | 'whole', string>;
  points: readonly Point[];
}

/** Reads the colours of the current theme. */
function optionsOf(parent: HTMLElement, { width, unit, names, points }: Looks): uPlot.Options {
  const color = (name: string) => getComputedStyle(parent).getPropertyValue(name).trim();
  const bars = uPlot.paths.bars?.({ size: [BAR_SHARE, 60] });
  // While the pointer is elsewhere, the legend shows the totals.
  const whole = { attempts: sumOf(points, 'attempts'), answered: sumOf(points, 'answered') };
  const count = (all: number) => (_plot: uPlot, value: number | null) => formatCount(value ?? all);
  const share = (_plot: uPlot, value: number | null, _series: number, index: number | null) => {
    const shown = index === null ? answeredShare(whole) : value;
    return shown === null ? '–' : formatShare(shown, 1);
  };
  const axis = { stroke: color('--quiet'), grid: { stroke: color('--hairline'), width: 1 }, ticks: { show: false } };
  const bar = (fill: string, all: number) => ({
    fill: color(fill),
    stroke: color(fill),
    width: 0,
    points: { show: false },
    value: count(all),
    ...(bars ? { paths: bars } : {}),
  });
  const quarters = quartersUpTo(Math.max(0, ...points.map(({ attempts }) => attempts)) * HEADROOM);
  return {
    width,
    height: HEIGHT,
    padding: [12, 8, 0, 0],
    cursor: { y: false },
    // The ticks stand at midnights and hours of the business time zone.
    tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), businessZone()),
    scales: {
      x: { range: (_plot, first, last) => [first - HALF_S[unit], last + HALF_S[unit]] },
      y: { range: [0, quarters.at(-1) ?? 0] },
      share: { range: [0, 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, values: (_plot, ticks) => ticks.map(tick => formatBeginning(tick * 1000, unit)), space: 70 },
      { ...axis, size: 56, splits: quarters, values: (_plot, ticks) => ticks.map(tick => formatCount(tick)) },
      {
        ...axis,
        scale: 'share',
        side: 1,
        size: 48,
        grid: { show: false },
        splits: [0, 0.25, 0.5, 0.75, 1],
        values: (_plot, ticks) => ticks.map(tick => formatShare(tick)),
      },
    ],
    series: [
      { label: names.at, value: (_plot, at) => (at === null ? names.whole : formatBeginning(at * 1000, unit)) },
      { label: names.attempts, ...bar('--rest-fill', whole.attempts) },
      { label: names.answered, ...bar('--answered-fill', whole.answered) },
      {
        label: names.rate,
        scale: 'share',
        stroke: color('--mantine-color-accent-filled'),
        width: 2,
        spanGaps: true,
        points: { size: 5 },
        value: share,
      },
    ],
  };
}
