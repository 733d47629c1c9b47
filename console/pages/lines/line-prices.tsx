import { useQuery } from '@apollo/client/react';
import { NumberInput, SimpleGrid, Table, Text, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { Form } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { useForm } from '../../form/use-form.ts';
import { formatDecimal } from '../../text/format.ts';
import { instantOf } from '../../text/local-time.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { LinePricesDocument, type LinePriceRowFragment, RemoveLinePriceDocument, SetLinePriceDocument } from './lines.generated.ts';

const MAX_PRICE = 100_000;
const MAX_UNIT_SECONDS = 3_600;
/** Digits of a price that carriers charge by. */
const DIGITS = 4;

/** What calls over a line cost and have cost, and the form of the next price. */
export function LinePrices({ lineId }: { lineId: string }) {
  const { t } = useTranslation();
  const { data, refetch } = useQuery(LinePricesDocument, { variables: { id: lineId } });
  const prices = data?.line?.prices ?? [];
  return (
    <section aria-label={t('linePrices.title')} style={{ marginTop: 24 }}>
      <Title order={3} mb={4}>
        {t('linePrices.title')}
      </Title>
      <Text size="sm" className="quiet" mb="sm">
        {t('linePrices.about')}
      </Text>
      {prices.length > 0 && <PriceTable prices={prices} changed={() => void refetch()} />}
      {data && <PriceForm key={prices[0]?.id ?? 'none'} lineId={lineId} latest={prices[0] ?? null} changed={() => void refetch()} />}
    </section>
  );
}

function PriceTable({ prices, changed }: { prices: readonly LinePriceRowFragment[]; changed: () => void }) {
  const { t } = useTranslation();
  return (
    <Table mb="sm" verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('linePrices.from')}</Table.Th>
          <Table.Th ta="right">{t('linePrices.perMinute')}</Table.Th>
          <Table.Th ta="right">{t('linePrices.unit')}</Table.Th>
          <Table.Th ta="right">{t('linePrices.fee')}</Table.Th>
          <Table.Th />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {prices.map(price => (
          <PriceRow key={price.id} price={price} changed={changed} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function PriceRow({ price, changed }: { price: LinePriceRowFragment; changed: () => void }) {
  const { t } = useTranslation();
  const { currency, perMinute, unitSeconds, connectionFee, validFrom } = price;
  return (
    <Table.Tr>
      <Table.Td>
        <Instant at={validFrom} />
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {formatDecimal(perMinute, DIGITS)} {currency}
      </Table.Td>
      <Table.Td ta="right">{t('linePrices.seconds', { count: unitSeconds })}</Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {formatDecimal(connectionFee, DIGITS)} {currency}
      </Table.Td>
      <Table.Td ta="right">
        <RemoveButton price={price} changed={changed} />
      </Table.Td>
    </Table.Tr>
  );
}

function RemoveButton({ price: { lineId, databaseId: priceId }, changed }: { price: LinePriceRowFragment; changed: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const reason = useDisabledReason('line:write');
  async function remove(): Promise<string | null> {
    const result = await run(RemoveLinePriceDocument, { lineId, priceId });
    if (isRefusal(result)) return result.message;
    sayDone(t('linePrices.removed'));
    changed();
    return null;
  }
  return (
    <ConfirmButton
      variant="default"
      size="compact-sm"
      act={remove}
      reason={reason}
      title={t('linePrices.removeAsks')}
      warning={t('linePrices.removeMeans')}
    >
      {t('linePrices.remove')}
    </ConfirmButton>
  );
}

interface PriceValues {
  currency: string;
  perMinute: number | '';
  unitSeconds: number | '';
  connectionFee: number | '';
  /** Local time; empty: now. */
  validFrom: string;
}

function valuesOf(latest: LinePriceRowFragment | null): PriceValues {
  const { currency = 'CNY', unitSeconds = 60, connectionFee = 0 } = latest ?? {};
  return { currency, perMinute: '', unitSeconds, connectionFee, validFrom: '' };
}

interface PriceFormProps {
  lineId: string;
  latest: LinePriceRowFragment | null;
  changed: () => void;
}

function PriceForm({ lineId, latest, changed }: PriceFormProps) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const disabledReason = useDisabledReason('line:write');
  const form = useForm({
    initial: valuesOf(latest),
    send: ({ currency, validFrom, ...values }: PriceValues) =>
      run(SetLinePriceDocument, {
        lineId,
        input: {
          currency: currency.trim().toUpperCase(),
          perMinute: Number(values.perMinute),
          unitSeconds: values.unitSeconds === '' ? null : values.unitSeconds,
          connectionFee: values.connectionFee === '' ? null : values.connectionFee,
          validFrom: instantOf(validFrom),
        },
      }),
    done: () => {
      sayDone(t('linePrices.saved'));
      changed();
    },
  });
  const { values, set, errorOf } = form;
  const amount = (name: 'perMinute' | 'unitSeconds' | 'connectionFee', bounds: { min: number; max: number; allowDecimal: boolean }) => (
    <NumberInput
      label={t(`linePrices.field.${name}`)}
      error={errorOf(name)}
      required={name === 'perMinute'}
      clampBehavior="none"
      value={values[name]}
      onChange={next => set({ [name]: typeof next === 'number' ? next : '' })}
      {...bounds}
    />
  );
  return (
    <Form form={form} action={t('linePrices.save')} disabledReason={disabledReason}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        {amount('perMinute', { min: 0, max: MAX_PRICE, allowDecimal: true })}
        <TextInput
          label={t('linePrices.field.currency')}
          error={errorOf('currency')}
          required
          maxLength={3}
          autoComplete="off"
          value={values.currency}
          onChange={event => set({ currency: event.currentTarget.value })}
        />
        {amount('unitSeconds', { min: 1, max: MAX_UNIT_SECONDS, allowDecimal: false })}
        {amount('connectionFee', { min: 0, max: MAX_PRICE, allowDecimal: true })}
        <TextInput
          type="datetime-local"
          label={t('linePrices.field.validFrom')}
          description={t('linePrices.fromAbout')}
          error={errorOf('validFrom')}
          value={values.validFrom}
          onChange={event => set({ validFrom: event.currentTarget.value })}
        />
      </SimpleGrid>
    </Form>
  );
}
