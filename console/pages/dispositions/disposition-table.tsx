import { Checkbox, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { IconAct } from '../../ui/icon-act.tsx';
import { moved, newRow, type Row } from './setting-values.ts';

const CATEGORIES = ['SALE', 'REACHED', 'REFUSED', 'NOT_REACHED', 'OTHER'] as const;
const FLAGS = ['needsNote', 'needsCallback', 'isEnabled'] as const;
const MAX_ROWS = 50;

interface TableProps {
  rows: readonly Row[];
  change: (rows: readonly Row[]) => void;
  isFixed: boolean;
}

/** The choices of agents after a call, in their order. */
export function DispositionTable({ rows, change, isFixed }: TableProps) {
  const { t } = useTranslation();
  if (rows.length === 0 && isFixed) return <Text className="quiet">{t('dispositions.none')}</Text>;
  const put = (place: number, part: Partial<Row>) => change(rows.map((row, index) => (index === place ? { ...row, ...part } : row)));
  return (
    <>
      <Table.ScrollContainer minWidth={860}>
        <Table verticalSpacing={4} aria-label={t('dispositions.list')}>
          <Head isFixed={isFixed} />
          <Table.Tbody>
            {rows.map((row, place) => (
              // A row has no identity but its place: its code is being typed.
              // oxlint-disable-next-line react/no-array-index-key
              <Table.Tr key={place}>
                <RowCells row={row} put={part => put(place, part)} isFixed={isFixed} />
                {!isFixed && <RowActs {...{ rows, place, change }} />}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {!isFixed && (
        <Group>
          <ActButton
            size="xs"
            variant="default"
            reason={rows.length < MAX_ROWS ? null : t('rowActs.isFull', { count: MAX_ROWS })}
            act={() => change([...rows, newRow(rows)])}
          >
            {t('dispositions.add')}
          </ActButton>
        </Group>
      )}
    </>
  );
}

function Head({ isFixed }: { isFixed: boolean }) {
  const { t } = useTranslation();
  return (
    <Table.Thead>
      <Table.Tr>
        {(['label', 'code', 'category', ...FLAGS] as const).map(name => (
          <Table.Th key={name}>{t(`dispositions.column.${name}`)}</Table.Th>
        ))}
        {!isFixed && <Table.Th>{t('dispositions.column.order')}</Table.Th>}
      </Table.Tr>
    </Table.Thead>
  );
}

function RowCells({ row, put, isFixed }: { row: Row; put: (part: Partial<Row>) => void; isFixed: boolean }) {
  const { t } = useTranslation();
  const named = (name: string) => t('dispositions.cell', { name: t(`dispositions.column.${name}`), row: row.label || row.code });
  const text = (name: 'label' | 'code', maxLength: number) => (
    <TextInput
      size="xs"
      aria-label={named(name)}
      maxLength={maxLength}
      required
      disabled={isFixed}
      value={row[name]}
      onChange={event => put({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Table.Td>{text('label', 64)}</Table.Td>
      <Table.Td>{text('code', 32)}</Table.Td>
      <Table.Td>
        <Select
          size="xs"
          aria-label={named('category')}
          allowDeselect={false}
          disabled={isFixed}
          value={row.category}
          onChange={category => category && put({ category })}
          data={CATEGORIES.map(value => ({ value, label: t(`dispositions.category.${value}`) }))}
        />
      </Table.Td>
      {FLAGS.map(name => (
        <Table.Td key={name}>
          <Checkbox
            aria-label={named(name)}
            disabled={isFixed}
            checked={row[name]}
            onChange={event => put({ [name]: event.currentTarget.checked })}
          />
        </Table.Td>
      ))}
    </>
  );
}

function RowActs({ rows, place, change }: { rows: readonly Row[]; place: number; change: TableProps['change'] }) {
  const { t } = useTranslation();
  const name = rows[place]?.label ?? '';
  const act = (label: string, icon: React.ReactNode, next: () => readonly Row[], reason: string | null = null) => (
    <IconAct label={t(label, { name })} reason={reason} act={() => change(next())}>
      {icon}
    </IconAct>
  );
  return (
    <Table.Td>
      <Group gap={2} wrap="nowrap">
        {act('dispositions.up', <IconArrowUp size={16} />, () => moved(rows, place, -1), place > 0 ? null : t('rowActs.isFirst'))}
        {act(
          'dispositions.down',
          <IconArrowDown size={16} />,
          () => moved(rows, place, 1),
          place < rows.length - 1 ? null : t('rowActs.isLast'),
        )}
        {act('dispositions.remove', <IconTrash size={16} />, () => rows.filter((_, index) => index !== place))}
      </Group>
    </Table.Td>
  );
}
