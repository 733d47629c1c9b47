import { Group, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { downloadCsv } from '../../table/csv.ts';
import { formatCount, formatSeconds, formatShare } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import styles from './trends.module.css';
import type { Point, Trend } from './use-trend.tsx';

const COUNTS = ['attempts', 'answered', 'completed', 'failed'] as const;

/** The figures of the chart, newest first, with their sum and a CSV export. */
export function TrendTable({ trend: { points, unit, span } }: { trend: Trend }) {
  const { t } = useTranslation();
  const heads = [t(`trends.${unit}`), ...COUNTS.map(name => t(`trends.${name}`)), t('trends.answerRate'), t('trends.averageDuration')];
  const download = () =>
    downloadCsv(`callout-trend-${span}`, [
      heads,
      ...points.map(point => [
        point.label,
        ...COUNTS.map(name => point[name]),
        point.attempts === 0 ? '' : (point.answered / point.attempts).toFixed(4),
        point.averageDurationSeconds,
      ]),
    ]);
  return (
    <>
      <Group justify="space-between" mt="md" mb="xs">
        <Title order={2}>{t('trends.table')}</Title>
        <ActButton variant="default" size="compact-sm" reason={points.length === 0 ? t('trends.nothing') : null} act={download}>
          {t('trends.download')}
        </ActButton>
      </Group>
      <Text className="quiet" size="sm" mb="xs">
        {t('trends.sums')}
      </Text>
      <div className={styles.scroll} role="region" aria-label={t('trends.table')} tabIndex={0}>
        <Table stickyHeader verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              {heads.map((head, index) => (
                <Table.Th key={head} ta={index === 0 ? 'left' : 'right'}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Row head={t('trends.sum')} point={sumOf(points)} isSum />
            {points.toReversed().map(point => (
              <Row key={point.at} head={point.label} point={point} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}

type Figures = Omit<Point, 'at' | 'label'>;

function Row({ head, point, isSum = false }: { head: string; point: Figures; isSum?: boolean }) {
  const { attempts, answered, averageDurationSeconds } = point;
  return (
    <Table.Tr fw={isSum ? 600 : undefined}>
      <Table.Td className={styles.day}>{head}</Table.Td>
      {COUNTS.map(name => (
        <Table.Td key={name} ta="right">
          {formatCount(point[name])}
        </Table.Td>
      ))}
      <Table.Td ta="right">{attempts === 0 ? '–' : formatShare(answered / attempts, 1)}</Table.Td>
      <Table.Td ta="right">{averageDurationSeconds === 0 ? '–' : formatSeconds(averageDurationSeconds)}</Table.Td>
    </Table.Tr>
  );
}

/** Sum of the points; the duration is the average over answered calls. */
function sumOf(points: readonly Point[]): Figures {
  const add = (figure: (point: Point) => number) => points.reduce((sum, point) => sum + figure(point), 0);
  const answered = add(point => point.answered);
  return {
    attempts: add(point => point.attempts),
    answered,
    completed: add(point => point.completed),
    failed: add(point => point.failed),
    averageDurationSeconds: answered === 0 ? 0 : add(point => point.averageDurationSeconds * point.answered) / answered,
  };
}
