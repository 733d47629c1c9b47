import { Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { CallClass } from './call-words.tsx';
import { CorrectModal } from './correct-modal.tsx';
import { nameOfField } from '../results/result-values.ts';
import type { CallResultFragment, ResultValueFragment } from '../results/results.generated.ts';
import { useResultWords } from '../results/use-result-words.ts';

/** Shows the result of a call: class, intent and found-out values, with corrections beside the reported values. */
export function CallResult({ call, className }: { call: CallResultFragment; className?: string | undefined }) {
  const { t } = useTranslation();
  const lacks = useDisabledReason('contact:write');
  const [isCorrecting, setCorrecting] = useState(false);
  const { classification, intent, reportedResult: reported } = call;
  const isClassChanged = reported && (reported.classification !== classification || reported.intent !== intent);
  const facts: Fact[] = [
    [
      t('calls.classification'),
      (classification || intent || isClassChanged) && (
        <>
          {classification || intent ? <CallClass classification={classification} intent={intent} /> : t('results.nothing')}
          {isClassChanged && (
            <Reported value={[reported.classification, reported.intent].filter(Boolean).join(' · ') || t('results.nothing')} />
          )}
        </>
      ),
    ],
    ...call.resultFields.map(
      (field): Fact => [nameOfField(field), field.value !== null || isChanged(field) ? <FieldValue key={field.key} field={field} /> : null],
    ),
  ];
  const isEmpty = facts.every(([, value]) => !value);
  return (
    <section className={className} aria-label={t('results.title')}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('results.title')}</Title>
        <ActButton size="xs" variant="default" reason={lacks} act={() => setCorrecting(true)}>
          {t('results.correct')}
        </ActButton>
      </Group>
      {isEmpty ? <Text className="quiet">{t('results.none')}</Text> : <Facts facts={facts} />}
      <Corrections call={call} />
      <CorrectModal call={isCorrecting ? call : null} close={() => setCorrecting(false)} />
    </section>
  );
}

/** A value with its source, and what the runtime had reported where a person says otherwise. */
function FieldValue({ field }: { field: ResultValueFragment }) {
  const { t } = useTranslation();
  const words = useResultWords();
  const said = (value: unknown) => (value === null ? t('results.nothing') : words(field, value));
  return (
    <>
      {said(field.value)}
      {field.source === 'AGENT' && (
        <Text span size="sm" className="quiet">
          {' '}
          · {t('results.byAgent')}
        </Text>
      )}
      {isChanged(field) && <Reported value={said(field.reported)} />}
    </>
  );
}

/** Each correction of the result: its author, time, members and reason. */
function Corrections({ call: { resultCorrections, resultFields } }: { call: CallResultFragment }) {
  const { t } = useTranslation();
  const nameOf = (member: string) => {
    const field = resultFields.find(({ key }) => member === `fields.${key}`);
    return field ? nameOfField(field) : t(`results.member.${member === 'intent' ? 'intent' : 'classification'}`);
  };
  return resultCorrections.map(({ databaseId, reason, createdAt, user, changes }) => (
    <Text key={databaseId} size="sm" className="quiet" mt={6}>
      {t('results.correctedBy', {
        name: user?.displayName ?? t('results.somebody'),
        at: formatDateTime(createdAt),
        what: changes.map(({ member }) => nameOf(member)).join(t('taker.comma')),
        reason,
      })}
    </Text>
  ));
}

function isChanged({ value, reported }: ResultValueFragment): boolean {
  return value !== reported;
}

/** The value that the runtime reported, beside the one that counts. */
function Reported({ value }: { value: string }) {
  const { t } = useTranslation();
  return (
    <Text span size="sm" className="quiet" display="block">
      {t('results.reported', { value })}
    </Text>
  );
}
