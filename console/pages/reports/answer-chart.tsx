import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useMergedRef, useResizeObserver } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { currentLanguage } from '../../text/text.ts';
import { type Cap, dataOf, optionsOf } from './chart-options.ts';
import type { ChartShape } from './chart-shape.ts';
import styles from './reports.module.css';

const HEIGHT = 300;

/** The figures of an answer over its groups; the table below has the same ones. */
export function AnswerChart({ shape, cap }: { shape: ChartShape; cap: Cap | null }) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme();
  const place = useRef<HTMLDivElement | null>(null);
  const [sized, { width }] = useResizeObserver<HTMLDivElement>();
  const ref = useMergedRef(place, sized);
  const language = currentLanguage();
  const [label, share] = [cap?.label, cap?.share];
  useEffect(() => {
    const parent = place.current;
    if (!parent || width === 0) return undefined;
    const drawn = label === undefined || share === undefined ? null : { label, share };
    const color = (name: string) => getComputedStyle(parent).getPropertyValue(name).trim();
    const units = {
      CALLS: t('reports.axis.CALLS'),
      TIMES: t('reports.axis.TIMES'),
      SHARE: t('reports.axis.SHARE'),
      SECONDS: t('reports.axis.SECONDS'),
      MONEY: t('reports.axis.MONEY'),
    };
    const options = optionsOf(shape, { width, height: HEIGHT, color, units, all: t('reports.all'), group: t('reports.group'), cap: drawn });
    const plot = new uPlot(options, dataOf(shape, drawn), parent);
    return () => plot.destroy();
  }, [width, shape, scheme, language, label, share, t]);
  return <div ref={ref} className={styles.chart} role="img" aria-label={t('reports.chart')} style={{ minHeight: HEIGHT }} />;
}
