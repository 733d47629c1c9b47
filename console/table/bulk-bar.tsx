import { Button, CloseButton, Group, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../text/format.ts';
import { ActButton } from '../ui/act-button.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './bulk.module.css';
import type { Bulk } from './use-bulk.ts';

/** Most rows that one command accepts. */
const MOST_CHOSEN = 10_000;

interface BulkBarProps<Row> {
  chosen: readonly Row[];
  set: (rows: readonly Row[]) => void;
  /** Rows that match the filter; null until they are counted. */
  total: number | null;
  /** Loads every row that matches the filter, slice by slice. */
  findAll: (report: (read: number) => void) => Promise<readonly Row[]>;
  bulk: Bulk;
  /** The action buttons. */
  children: ReactNode;
}

/** Actions on the selected rows, and the result of the last one. Appears once a row is selected. */
export function BulkBar<Row>({ chosen, set, total, findAll, bulk, children }: BulkBarProps<Row>) {
  const { t } = useTranslation();
  if (chosen.length === 0 && bulk.outcome === null) return null;
  const isCut = total !== null && total > chosen.length;
  return (
    <div className={`sheet ${styles.bulk}`} role="toolbar" aria-label={t('bulk.acts')}>
      {chosen.length > 0 && (
        <Chosen count={chosen.length} clear={() => set([])} more={isCut && <ChooseAll total={total} findAll={findAll} set={set} />}>
          {children}
        </Chosen>
      )}
      {bulk.progress !== null && (
        <Text className="quiet" role="status">
          {t('bulk.progress', { done: formatCount(bulk.progress), of: formatCount(chosen.length) })}
        </Text>
      )}
      {bulk.outcome && <Outcome bulk={bulk} outcome={bulk.outcome} />}
    </div>
  );
}

interface ChosenProps {
  count: number;
  clear: () => void;
  /** A way to select more rows. */
  more?: ReactNode;
  /** The action buttons. */
  children: ReactNode;
}

/** Actions on the selected rows of a list that is loaded as a whole, or changed by one command. */
export function ChosenBar(props: ChosenProps) {
  const { t } = useTranslation();
  return (
    <div className={`sheet ${styles.bulk}`} role="toolbar" aria-label={t('bulk.acts')}>
      <Chosen {...props} />
    </div>
  );
}

function Chosen({ count, clear, more, children }: ChosenProps) {
  const { t } = useTranslation();
  return (
    <>
      <Group gap="sm">
        <Text fw={600}>{t('bulk.chosen', { shown: formatCount(count) })}</Text>
        {more}
        <Button variant="subtle" size="xs" onClick={clear}>
          {t('bulk.clear')}
        </Button>
      </Group>
      <Group gap="xs">{children}</Group>
    </>
  );
}

type ChooseAllProps<Row> = Pick<BulkBarProps<Row>, 'findAll' | 'set'> & { total: number };

/** Selects every row that matches the filter; the button shows their number. */
function ChooseAll<Row>({ total, findAll, set }: ChooseAllProps<Row>) {
  const { t } = useTranslation();
  const [read, setRead] = useState<number | null>(null);
  const [failed, setFailed] = useState<Error | null>(null);
  async function choose(): Promise<void> {
    setFailed(null);
    setRead(0);
    try {
      set(await findAll(setRead));
    } catch (error) {
      setFailed(error as Error);
    } finally {
      setRead(null);
    }
  }
  const tooMany = total > MOST_CHOSEN ? t('bulk.atMost', { most: formatCount(MOST_CHOSEN) }) : null;
  return (
    <>
      <ActButton variant="subtle" size="xs" reason={tooMany} act={() => read === null && void choose()}>
        {read === null
          ? t('bulk.chooseFound', { shown: formatCount(total) })
          : t('bulk.reading', { done: formatCount(read), of: formatCount(total) })}
      </ActButton>
      {failed && <Notice error={failed} />}
    </>
  );
}

function Outcome({ bulk, outcome: { done, left, reasons } }: { bulk: Bulk; outcome: NonNullable<Bulk['outcome']> }) {
  const { t } = useTranslation();
  return (
    <section className={styles.outcome} aria-label={t('bulk.outcome')}>
      <Group justify="space-between" wrap="nowrap">
        <Text role="status" className={left > 0 ? 'tone-waiting' : 'tone-answered'}>
          {left === 0
            ? t('bulk.done', { done: formatCount(done) })
            : t('bulk.doneAndLeft', { done: formatCount(done), left: formatCount(left) })}
        </Text>
        <CloseButton size="sm" aria-label={t('bulk.dismiss')} onClick={bulk.dismiss} />
      </Group>
      {reasons.length > 0 && (
        <div className={styles.left}>
          <Table aria-label={t('bulk.left')}>
            <Table.Tbody>
              {reasons.map(({ name, why }, index) => (
                // The same row may appear for several reasons.
                <Table.Tr key={`${name} ${index}`}>
                  <Table.Td w={180}>{name}</Table.Td>
                  <Table.Td>{why}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {left > reasons.length && <Text className="quiet">{t('bulk.more', { shown: formatCount(left - reasons.length) })}</Text>}
        </div>
      )}
    </section>
  );
}
