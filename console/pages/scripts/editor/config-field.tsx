import { ActionIcon, Button, MultiSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SecondsInput } from '../../../form/seconds-input.tsx';
import { isInMs } from '../../../text/milliseconds.ts';
import styles from './editor.module.css';
import type { EditedScript } from './graph.ts';
import type { NodeField } from './node-table.ts';

export interface Group {
  databaseId: string;
  name: string;
}

interface ConfigFieldProps {
  field: NodeField;
  value: unknown;
  script: EditedScript;
  groups: readonly Group[];
  error: string | undefined;
  /** Undefined removes the member. */
  set: (value: unknown) => void;
}

/** One member of a node's configuration, as its kind in the server's table wants it. */
export function ConfigField({ field, value, script, groups, error, set }: ConfigFieldProps) {
  const { t } = useTranslation();
  const { name, kind, description, min, max, fallback } = field;
  const common = { label: t(`scriptConfig.${name}`, { defaultValue: name }), error, 'aria-description': description };
  const text = typeof value === 'string' ? value : '';
  if (kind === 'NUMBER' && isInMs(name))
    return (
      <SecondsInput
        label={common.label}
        error={error}
        min={min}
        max={max}
        fallback={fallback}
        value={typeof value === 'number' ? value : ''}
        change={next => set(next === '' ? undefined : next)}
      />
    );
  if (kind === 'NUMBER')
    return (
      <NumberInput
        {...common}
        {...(min !== null && { min })}
        {...(max !== null && { max })}
        allowDecimal={false}
        clampBehavior="none"
        placeholder={fallback === null ? '' : String(fallback)}
        value={typeof value === 'number' ? value : ''}
        onChange={next => set(typeof next === 'number' ? next : undefined)}
      />
    );
  if (kind === 'PHRASE')
    return (
      <Select
        {...common}
        clearable
        searchable
        placeholder={t('scriptEditor.noPhrase')}
        data={script.phrases.map(each => ({ value: each.key, label: each.text === '' ? each.key : each.text }))}
        value={text || null}
        onChange={next => set(next ?? undefined)}
      />
    );
  if (kind === 'FIELDS')
    return (
      <MultiSelect
        {...common}
        data={script.nlu.fields.map(each => ({ value: each.key, label: each.label || each.key }))}
        value={Array.isArray(value) ? value.filter(each => typeof each === 'string') : []}
        onChange={next => set(next.length === 0 ? undefined : next)}
      />
    );
  if (kind === 'GROUP')
    return (
      <Select
        {...common}
        clearable
        placeholder={t('scriptEditor.anyAgent')}
        data={groups.map(group => ({ value: group.databaseId, label: group.name }))}
        value={typeof value === 'number' && value > 0 ? String(value) : null}
        onChange={next => set(next === null ? undefined : Number(next))}
      />
    );
  if (kind === 'ANSWERS') return <Answers label={common.label} value={value} error={error} set={set} />;
  if (kind === 'VARIABLE') return <TextInput {...common} maxLength={64} value={text} onChange={event => set(event.currentTarget.value)} />;
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={8}
      maxLength={4_000}
      value={text}
      onChange={event => set(event.currentTarget.value)}
    />
  );
}

interface AnswersProps {
  label: string;
  value: unknown;
  error: string | undefined;
  set: (value: unknown) => void;
}

interface Answer {
  desc: string;
  text: string;
}

/** Prepared answers: what the customer asks, and what the bot says. */
function Answers({ label, value, error, set }: AnswersProps) {
  const { t } = useTranslation();
  const answers = readAnswers(value);
  const change = (index: number, part: Partial<Answer>) =>
    set(answers.map((each, place) => (place === index ? { ...each, ...part } : each)));
  const without = (index: number) => answers.filter((_, place) => place !== index);
  return (
    <fieldset className={styles.rows}>
      <legend>{label}</legend>
      {error && <span className="tone-waiting">{error}</span>}
      {answers.map(({ desc, text }, index) => (
        // Answers have no name but their position.
        <div key={index} className={styles.answer}>
          <TextInput
            label={t('scriptEditor.asked', { place: index + 1 })}
            maxLength={512}
            value={desc}
            onChange={event => change(index, { desc: event.currentTarget.value })}
            rightSection={
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('scriptEditor.removeRow', { name: String(index + 1) })}
                onClick={() => set(answers.length === 1 ? undefined : without(index))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            }
          />
          <Textarea
            label={t('scriptEditor.answered')}
            autosize
            maxLength={4_000}
            value={text}
            onChange={event => change(index, { text: event.currentTarget.value })}
          />
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => set([...answers, { desc: '', text: '' }])}
      >
        {t('scriptEditor.addAnswer')}
      </Button>
    </fieldset>
  );
}

function readAnswers(value: unknown): Answer[] {
  if (!Array.isArray(value)) return [];
  return value.map(each => {
    const { desc = '', text = '' } = Object(each) as Partial<Record<string, unknown>>;
    return { desc: String(desc), text: String(text) };
  });
}
