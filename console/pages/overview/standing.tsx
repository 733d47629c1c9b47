import { useQuery } from '@apollo/client/react';
import { Button, Group, Skeleton, Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { downloadCsv } from '../../table/csv.ts';
import { formatCount, formatShare } from '../../text/format.ts';
import { StandingDocument } from './trends.generated.ts';
import styles from './trends.module.css';

const LOOK_MS = 10_000;

interface Bar {
  key: string;
  label: string;
  count: number;
}

/** Current totals: today's calls, and campaigns and contacts by status, each as bars with figures. */
export function Standing() {
  const { t } = useTranslation();
  const { data } = useQuery(StandingDocument, { pollInterval: LOOK_MS });
  const now = data?.overview;
  if (!now) return <Skeleton height={200} />;
  const { today, answered, completed, failed } = now.attempts;
  const day = Object.entries({ answered, completed, failed }).map(([key, count]) => ({ key, label: t(`trends.${key}`), count }));
  return (
    <div className={styles.halves}>
      <Bars name="today" title={t('trends.today')} total={today} bars={day} />
      <Bars
        name="campaigns"
        title={t('trends.campaigns')}
        total={now.campaigns.total}
        bars={now.campaigns.byStatus.map(({ status, count }) => ({ key: status, label: t(`campaignStatus.${status}`), count }))}
      />
      <Bars
        name="contacts"
        title={t('trends.contacts')}
        total={now.contacts.total}
        bars={now.contacts.byStatus.map(({ status, count }) => ({ key: status, label: t(`contactStatus.${status}`), count }))}
      />
    </div>
  );
}

function Bars({ name, title, total, bars }: { name: string; title: string; total: number; bars: readonly Bar[] }) {
  const { t } = useTranslation();
  const download = () =>
    downloadCsv(`callout-${name}`, [
      [title, t('trends.count')],
      ...bars.map(({ label, count }) => [label, count]),
      [t('trends.sum'), total],
    ]);
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2}>
          {title} <span className="quiet">{formatCount(total)}</span>
        </Title>
        <Button variant="subtle" size="compact-sm" aria-label={t('trends.downloadOf', { title })} onClick={download}>
          CSV
        </Button>
      </Group>
      <Table verticalSpacing={5} withRowBorders={false}>
        <Table.Tbody>
          {bars.map(({ key, label, count }) => (
            <Table.Tr key={key}>
              <Table.Td w={110}>{label}</Table.Td>
              <Table.Td>
                <div className={styles.track} aria-hidden>
                  <div className={`${styles.fill} ${styles[key] ?? ''}`} style={{ width: `${total === 0 ? 0 : (count / total) * 100}%` }} />
                </div>
              </Table.Td>
              <Table.Td w={80} ta="right">
                {formatCount(count)}
              </Table.Td>
              <Table.Td w={64} ta="right" className="quiet">
                {total === 0 ? '–' : formatShare(count / total)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
