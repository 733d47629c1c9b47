import { ActionIcon, Button, Checkbox, NumberInput, Table, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormPart } from '../../form/form.tsx';

export interface PoolNumber {
  number: string;
  weight: number | '';
  maxConcurrency: number | '';
  isEnabled: boolean;
  /** Its own limits; '' = those of the line. */
  hourlyCap: number | '';
  dailyCap: number | '';
}

const NEW: PoolNumber = { number: '', weight: 1, maxConcurrency: 1, isEnabled: true, hourlyCap: '', dailyCap: '' };

interface NumberPoolProps {
  numbers: readonly PoolNumber[];
  set: (numbers: readonly PoolNumber[]) => void;
  /** How a call on the line gets its caller number. */
  mode: string;
  error: string | undefined;
  isFixed: boolean;
}

/** The caller numbers of a line, in the order of their rotation. */
export function NumberPool({ numbers, set, mode, error, isFixed }: NumberPoolProps) {
  const { t } = useTranslation();
  if (mode === 'SINGLE_SHARED' && numbers.length === 0) return null;
  const change = (index: number, part: Partial<PoolNumber>) => set(numbers.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <FormPart title={t('lines.field.numbers')}>
      <Table.ScrollContainer minWidth={520}>
        <Table verticalSpacing={4} horizontalSpacing={4} withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('lines.pool.number')}</Table.Th>
              <Table.Th w={72}>{t('lines.pool.weight')}</Table.Th>
              <Table.Th w={72}>{t('lines.pool.cap')}</Table.Th>
              <Table.Th w={76}>{t('lines.pool.hourly')}</Table.Th>
              <Table.Th w={76}>{t('lines.pool.daily')}</Table.Th>
              <Table.Th w={48}>{t('lines.pool.on')}</Table.Th>
              <Table.Th w={36} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {numbers.map(({ number, weight, maxConcurrency, isEnabled, hourlyCap, dailyCap }, index) => (
              // The position identifies a number while it is typed.
              // oxlint-disable-next-line react/no-array-index-key
              <Table.Tr key={index}>
                <Table.Td>
                  <TextInput
                    aria-label={t('lines.pool.numberOf', { place: index + 1 })}
                    maxLength={32}
                    required
                    disabled={isFixed}
                    value={number}
                    onChange={event => change(index, { number: event.currentTarget.value })}
                  />
                </Table.Td>
                <Table.Td>
                  <Amount
                    label={t('lines.pool.weightOf', { place: index + 1 })}
                    isFixed={isFixed}
                    value={weight}
                    set={next => change(index, { weight: next })}
                  />
                </Table.Td>
                <Table.Td>
                  <Amount
                    label={t('lines.pool.capOf', { place: index + 1 })}
                    // A bound number carries one call, whatever its own limit says.
                    isFixed={isFixed || mode === 'BOUND_NUMBERS'}
                    value={mode === 'BOUND_NUMBERS' ? 1 : maxConcurrency}
                    set={next => change(index, { maxConcurrency: next })}
                  />
                </Table.Td>
                <Table.Td>
                  <Amount
                    label={t('lines.pool.hourlyOf', { place: index + 1 })}
                    isFixed={isFixed}
                    value={hourlyCap}
                    set={next => change(index, { hourlyCap: next })}
                  />
                </Table.Td>
                <Table.Td>
                  <Amount
                    label={t('lines.pool.dailyOf', { place: index + 1 })}
                    isFixed={isFixed}
                    value={dailyCap}
                    set={next => change(index, { dailyCap: next })}
                  />
                </Table.Td>
                <Table.Td>
                  <Checkbox
                    aria-label={t('lines.pool.onOf', { place: index + 1 })}
                    disabled={isFixed}
                    checked={isEnabled}
                    onChange={event => change(index, { isEnabled: event.currentTarget.checked })}
                  />
                </Table.Td>
                <Table.Td>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={isFixed}
                    aria-label={t('lines.pool.removeOf', { place: index + 1 })}
                    onClick={() => set(numbers.toSpliced(index, 1))}
                  >
                    ×
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {error && (
        <Text size="xs" c="var(--failed)" role="alert">
          {error}
        </Text>
      )}
      <Button variant="default" size="compact-sm" mt={6} disabled={isFixed} onClick={() => set([...numbers, NEW])}>
        {t('lines.pool.add')}
      </Button>
    </FormPart>
  );
}

interface AmountProps {
  label: string;
  isFixed: boolean;
  value: number | '';
  set: (value: number | '') => void;
}

function Amount({ label, isFixed, value, set }: AmountProps) {
  return (
    <NumberInput
      aria-label={label}
      min={1}
      allowDecimal={false}
      hideControls
      disabled={isFixed}
      value={value}
      onChange={next => set(typeof next === 'number' ? next : '')}
    />
  );
}
