import { useMutation } from '@apollo/client/react';
import { Alert, Button, FileButton, Group, Progress, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { instantOf } from '../../text/local-time.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { DoNotCallEntriesDocument, ImportDoNotCallDocument } from './do-not-call.generated.ts';
import { ExpiryField } from './expiry-field.tsx';
import { NumberColumn } from './number-column.tsx';
import { hasOtherColumns, type ListedNumber, readNumbers } from './numbers-list.ts';
import { useNumberFile } from './use-number-file.ts';

/** Numbers per command; the server accepts no more. */
const CHUNK = 100;
/** Most numbers in one list: more would take minutes and should be split. */
const MOST_NUMBERS = 20_000;
const MOST_SHOWN = 200;

interface Fault {
  number: ListedNumber;
  message: string;
}

interface Run {
  done: number;
  total: number;
  added: number;
  faults: readonly Fault[];
  isOver: boolean;
}

/** Many numbers at once, from a file or pasted; rejected numbers stay in the field to be corrected. */
export function DoNotCallImport({ close, disabledReason }: { close: () => void; disabledReason: string | null }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const { given, isReading, unread, readFile, readText, choose, forget } = useNumberFile(setText);
  const [reason, setReason] = useState('');
  const [expiresAt, setExpiresAt] = useState('');
  const { run, failed, start, stop } = useImport();
  const numbers = readNumbers(text);
  const isRunning = run !== null && !run.isOver;
  const inTheWay =
    given?.list.column === null
      ? t('doNotCallImport.which')
      : numbers.length === 0
        ? t('doNotCallImport.nothing')
        : numbers.length > MOST_NUMBERS
          ? t('doNotCallImport.tooMany', { count: MOST_NUMBERS })
          : null;

  async function begin(): Promise<void> {
    if (given === null && hasOtherColumns(text)) return readText(text);
    forget();
    const faults = await start(numbers, { reason: reason.trim(), expiresAt: instantOf(expiresAt) });
    setText(faults.map(({ number }) => number.text).join('\n'));
  }

  return (
    <>
      <Text className="quiet" mb="sm">
        {t('doNotCallImport.about')}
      </Text>
      <Group mb="xs" gap="sm">
        <FileButton accept=".csv,.txt,.tsv,.xlsx" onChange={file => file && readFile(file)}>
          {props => (
            <Button {...props} variant="default" disabled={isRunning} loading={isReading}>
              {t('doNotCallImport.file')}
            </Button>
          )}
        </FileButton>
        <Text className="quiet" aria-live="polite">
          {t('doNotCallImport.found', { count: numbers.length })}
        </Text>
      </Group>
      {unread && (
        <Alert color="red" role="alert" mb="sm">
          {unread}
        </Alert>
      )}
      {given && <NumberColumn {...given} isBusy={isRunning || isReading} choose={choose} />}
      <Textarea
        label={t('doNotCallImport.numbers')}
        placeholder={'13800138000\n13900139000, 客户要求'}
        autosize
        minRows={6}
        maxRows={14}
        spellCheck={false}
        disabled={isRunning}
        value={text}
        onChange={event => {
          setText(event.currentTarget.value);
          forget();
        }}
        mb="md"
      />
      <TextInput
        label={t('doNotCallImport.reason')}
        maxLength={500}
        value={reason}
        disabled={isRunning}
        onChange={event => setReason(event.currentTarget.value)}
        mb="md"
      />
      <ExpiryField value={expiresAt} change={setExpiresAt} />
      <Group justify="flex-end" mt="lg" gap="sm">
        {isRunning ? (
          <Button variant="default" onClick={stop}>
            {t('doNotCallImport.stop')}
          </Button>
        ) : (
          <Button variant="default" onClick={close}>
            {t('drawer.close')}
          </Button>
        )}
        <ActButton act={() => void begin()} loading={isRunning || isReading} reason={disabledReason ?? inTheWay}>
          {t('doNotCallImport.start')}
        </ActButton>
      </Group>
      {failed && (
        <Alert color="red" role="alert" mt="md">
          {failed}
        </Alert>
      )}
      {run && <Outcome run={run} />}
    </>
  );
}

function Outcome({ run: { done, total, added, faults, isOver } }: { run: Run }) {
  const { t } = useTranslation();
  const said = t('doNotCallImport.progress', { done: formatCount(done), total: formatCount(total), added: formatCount(added) });
  return (
    <section aria-label={t('doNotCallImport.outcome')}>
      <Progress
        value={total === 0 ? 0 : (done / total) * 100}
        mt="lg"
        aria-label={said}
        color={isOver && faults.length === 0 ? 'green' : 'accent'}
      />
      <Text mt="xs" role="status">
        {said}
      </Text>
      {faults.length > 0 && (
        <>
          <Text mt="sm" className="tone-failed">
            {t('doNotCallImport.faults', { count: faults.length })} {isOver && t('doNotCallImport.mend')}
          </Text>
          <Table mt="xs" aria-label={t('doNotCallImport.faulty')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('doNotCallImport.line')}</Table.Th>
                <Table.Th>{t('doNotCall.number')}</Table.Th>
                <Table.Th>{t('doNotCallImport.why')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {faults.slice(0, MOST_SHOWN).map(({ number, message }) => (
                <Table.Tr key={number.line}>
                  <Table.Td>{number.line}</Table.Td>
                  <Table.Td>{number.phoneNumber}</Table.Td>
                  <Table.Td>{message}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {faults.length > MOST_SHOWN && <Text className="quiet">{t('doNotCallImport.more', { count: faults.length - MOST_SHOWN })}</Text>}
        </>
      )}
    </section>
  );
}

/** Sends a list in chunks, one after the other, and counts; the user can stop it between two chunks. */
function useImport() {
  const [run, setRun] = useState<Run | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const isStopped = useRef(false);
  const [send, { client }] = useMutation(ImportDoNotCallDocument, { fetchPolicy: 'no-cache' });

  /** Resolves to the numbers that were not added: rejected, or not sent after a stop. */
  async function start(numbers: readonly ListedNumber[], common: { reason: string; expiresAt: string | null }): Promise<Fault[]> {
    const faults: Fault[] = [];
    let done = 0;
    isStopped.current = false;
    setFailed(null);
    const tell = (isOver: boolean) => setRun({ done, total: numbers.length, added: done - faults.length, faults: [...faults], isOver });
    tell(false);
    try {
      while (done < numbers.length && !isStopped.current) {
        const piece = numbers.slice(done, done + CHUNK);
        const inputs = piece.map(({ phoneNumber, reason }) => ({
          phoneNumber,
          reason: reason || common.reason || null,
          expiresAt: common.expiresAt,
        }));
        const outcomes = (await send({ variables: { inputs } })).data?.outcomes ?? [];
        for (const [index, number] of piece.entries()) {
          const outcome = outcomes[index];
          if (outcome?.code) faults.push({ number, message: outcome.message ?? outcome.code });
        }
        done += piece.length;
        tell(false);
      }
    } catch (error) {
      setFailed(error instanceof Error ? error.message : String(error));
    }
    tell(true);
    await client.refetchQueries({ include: [DoNotCallEntriesDocument] });
    return [...faults, ...numbers.slice(done).map(number => ({ number, message: '' }))];
  }

  return { run, failed, start, stop: () => (isStopped.current = true) };
}
