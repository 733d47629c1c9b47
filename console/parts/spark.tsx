import 'uplot/dist/uPlot.min.css';
import { useMergedRef, useResizeObserver } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

interface SparkProps {
  /** What is drawn, in words. */
  label: string;
  /** Seconds since 1970 of each value. */
  times: readonly number[];
  values: readonly number[];
  /** A variable of theme.css. */
  color?: string;
  height?: number;
}

/** A small line without axes: the figure beside it says how much, this says where it goes. */
export function Spark({ label, times, values, color = '--mantine-color-accent-filled', height = 34 }: SparkProps) {
  const place = useRef<HTMLDivElement | null>(null);
  const [sized, { width }] = useResizeObserver<HTMLDivElement>();
  const ref = useMergedRef(place, sized);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const parent = place.current;
    if (!parent || width === 0) return undefined;
    const stroke = () => getComputedStyle(parent).getPropertyValue(color) || 'currentColor';
    const made = new uPlot(
      {
        width,
        height,
        padding: [2, 0, 2, 0],
        cursor: { show: false },
        legend: { show: false },
        axes: [{ show: false }, { show: false }],
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(max, 1)] } },
        series: [{}, { stroke, width: 1.5, points: { show: false } }],
      },
      [[...times], [...values]],
      parent,
    );
    plot.current = made;
    return () => made.destroy();
    // Its data are given below, whenever they come.
  }, [width, height, color]);
  useEffect(() => plot.current?.setData([[...times], [...values]]), [times, values]);
  return <div ref={ref} role="img" aria-label={label} style={{ height }} />;
}
