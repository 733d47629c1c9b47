import uPlot from 'uplot';
import type { ChartShape, Series } from './chart-shape.ts';
import { figureWords } from './figure-words.ts';
import type { CallMeasureUnit } from './reports.generated.ts';

/** A line across the chart, as a share. */
export interface Cap {
  label: string;
  share: number;
}

interface Looks {
  width: number;
  height: number;
  /** Reads a colour of the current theme. */
  color: (name: string) => string;
  /** Display name of each unit, for the axes. */
  units: Readonly<Record<CallMeasureUnit, string>>;
  all: string;
  group: string;
  cap: Cap | null;
}

const BAR_COLOR = '--chart-bar';
const COLORS = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5', '--chart-6'];
/** Lines beyond the third are dashed too: colours alone tell six apart badly. */
const DASHES = [[], [], [], [6, 4], [2, 3], [10, 4]];
/** Room that the axes of units take. */
const BOTH_AXES_PX = 150;
const BAR_SHARE = 0.7;
const MAX_BAR_PX = 60;
/** Longest text of a label below the chart, the widths of its characters, and the gap between two labels. */
const LABEL_CHARACTERS = 14;
const WIDE_PX = 12;
const NARROW_PX = 7;
const GAP_PX = 16;
const HEADROOM = 1.08;

export function dataOf({ labels, series }: ChartShape, cap: Cap | null): uPlot.AlignedData {
  const places = labels.map((_, place) => place);
  return [places, ...series.map(({ values }) => [...values]), ...(cap === null ? [] : [places.map(() => cap.share)])];
}

export function optionsOf(shape: ChartShape, looks: Looks): uPlot.Options {
  const { width, height, cap } = looks;
  const { labels, units } = shape;
  return {
    width,
    height,
    padding: [12, 8, 0, 0],
    cursor: { y: false },
    scales: {
      x: { time: false, range: [-0.5, labels.length - 0.5] },
      ...Object.fromEntries(units.map(unit => [unit, { range: rangeOf(shape, unit, cap) }])),
    },
    axes: [placesAxis(shape, looks), ...units.map((unit, place) => unitAxis(unit, place, looks))],
    series: [
      { label: looks.group, value: (_plot, at) => (at === null ? looks.all : (labels[at] ?? '')) },
      ...shape.series.map((series, place) => seriesOf(series, place, { shape, looks })),
      ...(cap === null ? [] : [capSeries(cap, looks)]),
    ],
  };
}

/** From zero to a little above the highest value. */
function rangeOf({ series }: ChartShape, unit: CallMeasureUnit, cap: Cap | null): uPlot.Range.MinMax {
  const values = series.filter(each => each.unit === unit).flatMap(each => each.values.map(value => value ?? 0));
  const most = Math.max(0, ...values, unit === 'SHARE' && cap ? cap.share : 0);
  const least = unit === 'SHARE' || unit === 'MONEY' ? 0.01 : 1;
  return [0, Math.max(most * HEADROOM, least)];
}

function lineLook({ color }: Looks) {
  return { stroke: color('--quiet'), ticks: { show: false }, labelSize: 18, labelFont: '12px system-ui', font: '12px system-ui' };
}

function placesAxis({ labels }: ChartShape, looks: Looks): uPlot.Axis {
  const widest = Math.max(...labels.map(label => widthOf(shortened(label)))) + GAP_PX;
  const every = Math.max(1, Math.ceil((labels.length * widest) / (looks.width - BOTH_AXES_PX)));
  return {
    ...lineLook(looks),
    grid: { show: false },
    splits: labels.map((_, place) => place).filter(place => place % every === 0),
    values: (_plot, places) => places.map(place => shortened(labels[place] ?? '')),
  };
}

function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (character > '\u2e7f' ? WIDE_PX : NARROW_PX), 0);
}

function shortened(label: string): string {
  return label.length > LABEL_CHARACTERS ? `${label.slice(0, LABEL_CHARACTERS - 1)}…` : label;
}

function unitAxis(unit: CallMeasureUnit, place: number, looks: Looks): uPlot.Axis {
  return {
    ...lineLook(looks),
    scale: unit,
    side: place === 0 ? 3 : 1,
    size: 58,
    label: looks.units[unit],
    grid: { show: place === 0, stroke: looks.color('--hairline'), width: 1 },
    values: (_plot, ticks) => ticks.map(tick => tickWords(tick, unit)),
  };
}

function tickWords(tick: number, unit: CallMeasureUnit): string {
  if (unit === 'SHARE') return `${Number((tick * 100).toFixed(1))}%`;
  if (unit === 'SECONDS') return tick < 60 ? String(Number(tick.toFixed(1))) : figureWords(tick, unit);
  if (unit === 'MONEY') return String(Number(tick.toFixed(4)));
  return Number.isInteger(tick) ? figureWords(tick, unit) : '';
}

/** Counts stand behind as bars; what is compared with them are lines over time, else points. */
function seriesOf(series: Series, place: number, { shape, looks }: { shape: ChartShape; looks: Looks }): uPlot.Series {
  const { label, unit, total, isBars } = series;
  const value = (_plot: uPlot, at: number | null, _series: number, index: number | null) =>
    index === null ? (total === null ? '' : figureWords(total, unit)) : figureWords(at, unit);
  const stroke = looks.color(isBars ? BAR_COLOR : (COLORS[place % COLORS.length] ?? ''));
  const bars = isBars ? uPlot.paths.bars?.({ size: [BAR_SHARE, MAX_BAR_PX] }) : undefined;
  if (bars) return { label, scale: unit, value, stroke, fill: stroke, width: 0, points: { show: false }, paths: bars };
  const dash = DASHES[place % DASHES.length] ?? [];
  const points = { show: true, size: shape.isTime ? 5 : 9, fill: stroke, stroke };
  return { label, scale: unit, value, stroke, dash, width: 2, points, ...(shape.isTime ? {} : { paths: () => null }) };
}

function capSeries({ label, share }: Cap, { color }: Looks): uPlot.Series {
  return {
    label,
    scale: 'SHARE',
    stroke: color('--failed-fill'),
    width: 1.5,
    dash: [8, 4],
    points: { show: false },
    value: () => figureWords(share, 'SHARE'),
  };
}
