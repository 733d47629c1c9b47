import { Button, Group, Text, Textarea, Title } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadCsv } from '../../table/csv.ts';
import { ActButton } from '../../ui/act-button.tsx';
import styles from './import.module.css';
import type { Importing } from './use-import.ts';

/** Accepted by file extension: browsers report many MIME types for CSV, or none. */
const ENDINGS = ['.csv', '.tsv', '.tab', '.txt', '.xlsx'];

/** The user drops or selects a file, or pastes rows. */
export function FileStep({ importing }: { importing: Importing }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);

  function take([file]: readonly File[]): void {
    if (!file) return;
    const isKnown = ENDINGS.some(ending => file.name.toLowerCase().endsWith(ending));
    const problem = isKnown ? null : t('import.otherKind', { name: file.name });
    setRefused(problem);
    if (problem === null) importing.giveFile(file);
  }

  return (
    <div className={styles.pair}>
      <section className={`sheet ${styles.sheet}`}>
        <Title order={2} mb="sm">
          {t('import.drop')}
        </Title>
        <Dropzone
          onDrop={take}
          maxFiles={1}
          multiple={false}
          loading={importing.isBusy}
          className={styles.drop ?? ''}
          inputProps={{ 'aria-label': t('import.chooseFile') }}
        >
          <Text size="lg">{importing.file?.name ?? t('import.dropHere')}</Text>
          <Text className="quiet">{t('import.kinds')}</Text>
        </Dropzone>
        {refused && (
          <Text role="alert" className="tone-failed" mt="sm">
            {refused}
          </Text>
        )}
        <Group mt="sm">
          <Button
            variant="subtle"
            onClick={() =>
              downloadCsv(
                'contacts',
                t('import.templateRows')
                  .split(';')
                  .map(row => row.split(',')),
              )
            }
          >
            {t('import.template')}
          </Button>
        </Group>
      </section>
      <Paste importing={importing} />
    </div>
  );
}

function Paste({ importing }: { importing: Importing }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  // Column names that the server recognises in either language: those of the template file.
  const [number = '', name = ''] = t('import.templateRows').split(/[,;]/);
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="sm">
        {t('import.paste')}
      </Title>
      <Textarea
        aria-label={t('import.paste')}
        description={t('import.pasteAbout')}
        placeholder={t('import.pasteExample')}
        autosize
        minRows={7}
        maxRows={14}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Group mt="sm">
        <ActButton
          variant="default"
          loading={importing.isBusy}
          reason={text.trim() === '' ? t('import.nothingPasted') : null}
          act={() =>
            importing.giveFile(new File([withHeader(text, number, name)], `${t('import.pastedName')}.txt`, { type: 'text/plain' }))
          }
        >
          {t('import.usePasted')}
        </ActButton>
      </Group>
    </section>
  );
}

/** A cell that could be a phone number. */
const NUMBER = /^'?\+?[\d\s()-]{5,}$/;

/** Adds a header to pasted rows without one, because their first line is a contact already. */
function withHeader(text: string, number: string, name: string): string {
  const lines = text.replace(/^\s*\n/, '');
  const [first = ''] = lines.split(/\r?\n/, 1);
  const separator = first.includes('\t') ? '\t' : first.includes(';') && !first.includes(',') ? ';' : ',';
  const cells = first.split(separator).map(cell => cell.trim());
  if (!cells.some(cell => NUMBER.test(cell))) return lines;
  const at = cells.findIndex(cell => NUMBER.test(cell));
  let isNamed = false;
  const header = cells.map((_cell, index) => {
    if (index === at) return number;
    if (isNamed) return `${name} ${index + 1}`;
    isNamed = true;
    return name;
  });
  return `${header.join(separator)}\n${lines}`;
}
