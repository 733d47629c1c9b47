import { MultiSelect, NumberInput, Select, Table } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconAct } from '../../ui/icon-act.tsx';
import { type Outcome, type Row, type Table as Rules, type TableFaults, withChange, withMoved, withoutRow } from './rule-values.ts';
import styles from './outcome-rules.module.css';
import { StepFields, WHOLE } from './step-fields.tsx';

const OUTCOMES: readonly Outcome[] = [
  'NO_ANSWER',
  'BUSY',
  'REJECTED',
  'POWER_OFF',
  'OUT_OF_SERVICE',
  'INVALID_NUMBER',
  'NETWORK_BUSY',
  'VOICEMAIL',
  'SCREENING',
  'FAX',
  'ABANDONED',
  'SILENT',
  'SHORT',
  'COMPLETED',
  'OPTED_OUT',
  'LOCAL_FAILURE',
  'UNKNOWN',
];
const NUMBERS = ['ANY', 'FIRST', 'OTHER'] as const;
const MAX_COUNT = 21;

interface RuleTableProps {
  rules: Rules;
  set: (rules: Rules) => void;
  faults: TableFaults;
  /** How often each row decided in the preview; null before one. */
  applied: ReadonlyMap<number | null, number> | null;
  isFixed: boolean;
}

/** The rows of the rules, from the first to the last that is read. */
export function RuleTable({ rules, set, faults, applied, isFixed }: RuleTableProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.scroll}>
      <Table className={styles.rules} aria-label={t('outcomeRules.table')} verticalSpacing={6} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36}>{t('outcomeRules.row')}</Table.Th>
            <Table.Th w="28%">{t('outcomeRules.outcomes')}</Table.Th>
            <Table.Th w={136}>{t('outcomeRules.times')}</Table.Th>
            <Table.Th w={100}>{t('outcomeRules.number')}</Table.Th>
            <Table.Th>{t('outcomeRules.next')}</Table.Th>
            {applied && <Table.Th w={56}>{t('outcomeRules.applied')}</Table.Th>}
            <Table.Th w={104} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.rows.map((row, index) => (
            <RuleRow key={row.key} {...{ rules, set, faults, applied, isFixed, row, index }} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

type RuleRowProps = RuleTableProps & { row: Row; index: number };

function RuleRow({ rules, set, faults, applied, isFixed, row, index }: RuleRowProps) {
  const place = index + 1;
  const change = (part: Partial<Row>) => set(withChange(rules, index, part));
  const move = (by: -1 | 1) => set(withMoved(rules, index, by));
  return (
    <Table.Tr onKeyDown={event => !isFixed && moveByKey(event, move)} style={{ verticalAlign: 'top' }}>
      <Table.Td>{place}</Table.Td>
      <Table.Td className={styles.wide}>
        <OutcomesField {...{ row, place, isFixed, change }} />
        <Faults of={faults.rows.get(index) ?? []} />
      </Table.Td>
      <Table.Td>
        <TimesField {...{ row, place, isFixed, change }} />
      </Table.Td>
      <Table.Td>
        <NumberField {...{ row, place, isFixed, change }} />
      </Table.Td>
      <Table.Td className={styles.wide}>
        <StepFields step={row.next} place={place} isFixed={isFixed} set={part => change({ next: { ...row.next, ...part } })} />
      </Table.Td>
      {applied && <Table.Td>{applied.get(index) ?? 0}</Table.Td>}
      <Table.Td className={styles.acts}>
        {!isFixed && <RowActs {...{ place, isLast: place === rules.rows.length, move }} remove={() => set(withoutRow(rules, index))} />}
      </Table.Td>
    </Table.Tr>
  );
}

/** Alt and an arrow move the row in which a field has the focus. */
function moveByKey(event: KeyboardEvent, move: (by: -1 | 1) => void): void {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  event.stopPropagation();
  move(event.key === 'ArrowUp' ? -1 : 1);
}

interface RowActsProps {
  place: number;
  isLast: boolean;
  move: (by: -1 | 1) => void;
  remove: () => void;
}

function RowActs({ place, isLast, move, remove }: RowActsProps) {
  const { t } = useTranslation();
  return (
    <>
      <IconAct label={t('outcomeRules.upOf', { place })} reason={place > 1 ? null : t('rowActs.isFirst')} act={() => move(-1)}>
        ↑
      </IconAct>
      <IconAct label={t('outcomeRules.downOf', { place })} reason={isLast ? t('rowActs.isLast') : null} act={() => move(1)}>
        ↓
      </IconAct>
      <IconAct label={t('outcomeRules.removeOf', { place })} act={remove}>
        ×
      </IconAct>
    </>
  );
}

interface FieldProps {
  row: Row;
  place: number;
  isFixed: boolean;
  change: (part: Partial<Row>) => void;
}

function OutcomesField({ row: { outcomes }, place, isFixed, change }: FieldProps) {
  const { t } = useTranslation();
  return (
    <MultiSelect
      aria-label={t('outcomeRules.outcomesOf', { place })}
      placeholder={outcomes.length === 0 ? t('outcomeRules.chooseOutcomes') : undefined}
      data={OUTCOMES.map(value => ({ value, label: t(`outcomeName.${value}`) }))}
      searchable
      hidePickedOptions
      disabled={isFixed}
      value={[...outcomes]}
      onChange={chosen => change({ outcomes: OUTCOMES.filter(each => chosen.includes(each)) })}
    />
  );
}

function TimesField({ row: { from, to }, place, isFixed, change }: FieldProps) {
  const { t } = useTranslation();
  const field = (name: 'from' | 'to', value: number | '') => (
    <NumberInput
      aria-label={t(`outcomeRules.${name}Of`, { place })}
      placeholder={name === 'to' ? '∞' : undefined}
      {...WHOLE}
      w={52}
      min={1}
      max={MAX_COUNT}
      disabled={isFixed}
      value={value}
      onChange={next => change({ [name]: typeof next === 'number' ? next : '' })}
    />
  );
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
      {field('from', from)}–{field('to', to)}
    </span>
  );
}

function NumberField({ row: { number }, place, isFixed, change }: FieldProps) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t('outcomeRules.numberOf', { place })}
      data={NUMBERS.map(value => ({ value, label: t(`ruleNumber.${value}`) }))}
      allowDeselect={false}
      disabled={isFixed}
      value={number}
      onChange={chosen => chosen !== null && change({ number: chosen })}
    />
  );
}

function Faults({ of }: { of: readonly { member: string; problem: string }[] }) {
  const { t, i18n } = useTranslation();
  if (of.length === 0) return null;
  const nameOf = (member: string) => (i18n.exists(`outcomeRules.member.${member}`) ? `${t(`outcomeRules.member.${member}`)} ` : '');
  return (
    <div role="alert">
      <ul className={styles.faults}>
        {of.map(({ member, problem }) => (
          <li key={`${member} ${problem}`}>{`${nameOf(member)}${problem}`}</li>
        ))}
      </ul>
    </div>
  );
}
