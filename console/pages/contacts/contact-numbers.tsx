import { Group, Table, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormPart } from '../../form/form.tsx';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { IconAct } from '../../ui/icon-act.tsx';
import type { OpenContactFragment } from './contacts.generated.ts';

type ContactNumber = OpenContactFragment['numbers'][number];

/** A number as it is edited; the verdict only shows. */
export type EditedNumber = Omit<ContactNumber, '__typename'>;

const NEW: EditedNumber = { phoneNumber: '', label: '', extension: '', verdict: null };
const MAX_NUMBERS = 10;

interface ContactNumbersProps {
  numbers: readonly EditedNumber[];
  set: (numbers: readonly EditedNumber[]) => void;
  error: string | undefined;
}

/** The numbers of a contact in the order of their use: add, move, remove. */
export function ContactNumbers({ numbers, set, error }: ContactNumbersProps) {
  const { t } = useTranslation();
  const change = (index: number, part: Partial<EditedNumber>) =>
    set(numbers.map((each, at) => (at === index ? { ...each, ...part } : each)));
  const raise = (index: number) => set(moved(numbers, index));
  return (
    <FormPart title={t('contacts.numbers.title')}>
      <Text className="quiet" size="sm" mb={4}>
        {t('contacts.numbers.about')}
      </Text>
      <Table verticalSpacing={4} horizontalSpacing={4} withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('contacts.number')}</Table.Th>
            <Table.Th w={96}>{t('contacts.numbers.label')}</Table.Th>
            <Table.Th w={84}>{t('contacts.numbers.extension')}</Table.Th>
            <Table.Th w={72} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {numbers.map((number, index) => (
            // The position identifies a number while it is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <NumberRow key={index} number={number} place={index + 1} change={part => change(index, part)}>
              <IconAct
                label={t('contacts.numbers.raiseOf', { place: index + 1 })}
                reason={index > 0 ? null : t('rowActs.isFirst')}
                act={() => raise(index)}
              >
                ↑
              </IconAct>
              <IconAct
                label={t('contacts.numbers.removeOf', { place: index + 1 })}
                reason={numbers.length > 1 ? null : t('rowActs.isOnly')}
                act={() => set(numbers.toSpliced(index, 1))}
              >
                ×
              </IconAct>
            </NumberRow>
          ))}
        </Table.Tbody>
      </Table>
      {error && (
        <Text size="xs" c="var(--failed)" role="alert">
          {error}
        </Text>
      )}
      <Group mt={6}>
        <ActButton
          variant="default"
          size="compact-sm"
          reason={numbers.length < MAX_NUMBERS ? null : t('rowActs.isFull', { count: MAX_NUMBERS })}
          act={() => set([...numbers, NEW])}
        >
          {t('contacts.numbers.add')}
        </ActButton>
      </Group>
    </FormPart>
  );
}

function moved(numbers: readonly EditedNumber[], index: number): EditedNumber[] {
  const number = numbers[index];
  return number ? numbers.toSpliced(index, 1).toSpliced(index - 1, 0, number) : [...numbers];
}

interface NumberRowProps {
  number: EditedNumber;
  place: number;
  change: (part: Partial<EditedNumber>) => void;
  children: React.ReactNode;
}

function NumberRow({ number: { phoneNumber, label, extension, verdict }, place, change, children }: NumberRowProps) {
  const { t } = useTranslation();
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <TextInput
          aria-label={t('contacts.numbers.numberOf', { place })}
          maxLength={64}
          required
          value={phoneNumber}
          description={verdict && <span className="tone-failed">{t(`numberVerdict.${verdict}`)}</span>}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={event => change({ phoneNumber: event.currentTarget.value })}
        />
      </Table.Td>
      <Table.Td>
        <TextInput
          aria-label={t('contacts.numbers.labelOf', { place })}
          maxLength={32}
          value={label}
          onChange={event => change({ label: event.currentTarget.value })}
        />
      </Table.Td>
      <Table.Td>
        <TextInput
          aria-label={t('contacts.numbers.extensionOf', { place })}
          maxLength={16}
          value={extension}
          onChange={event => change({ extension: event.currentTarget.value })}
        />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{children}</Table.Td>
    </Table.Tr>
  );
}

/** The numbers of a contact as a list, with the one to dial next (null: none) and those that have ended. */
export function NumberList({ numbers, next }: { numbers: readonly ContactNumber[]; next: string | null }) {
  const { t } = useTranslation();
  return (
    <ol style={{ margin: 0, paddingInlineStart: '1.2em' }}>
      {numbers.map(({ phoneNumber, label, extension, verdict }) => (
        <li key={phoneNumber}>
          {formatPhone(phoneNumber)}
          {extension && ` ${t('contacts.numbers.withExtension', { extension })}`}
          {label && <span className="quiet"> {label}</span>}
          {verdict && <span className="tone-failed"> {t(`numberVerdict.${verdict}`)}</span>}
          {!verdict && phoneNumber === next && <span className="quiet"> {t('contacts.numbers.next')}</span>}
        </li>
      ))}
    </ol>
  );
}
