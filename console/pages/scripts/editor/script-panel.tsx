import { Accordion, ActionIcon, Button, Select, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './editor.module.css';
import { ExamplesInput } from './examples-input.tsx';
import { type EditedScript, freeKey, type NamedPart, renameKey } from './graph.ts';
import { RulesForm } from './rules-form.tsx';

interface ScriptPanelProps {
  script: EditedScript;
  change: (next: EditedScript, name?: string) => void;
}

/** Types that an answer may be read as. */
const FIELD_TYPES = ['text', 'number', 'date', 'time', 'datetime', 'phone', 'boolean'];

/** The parts that the nodes of a script share: phrases, variables, intents, captured fields and result rules. */
export function ScriptPanel({ script, change }: ScriptPanelProps) {
  const { t } = useTranslation();
  const parts: readonly [key: string, label: string, count: number, content: ReactNode][] = [
    ['phrases', t('scriptEditor.phrases'), script.phrases.length, <Phrases key="phrases" script={script} change={change} />],
    ['variables', t('script.variables'), script.variables.length, <Variables key="variables" script={script} change={change} />],
    ['branches', t('script.branches'), script.nlu.branches.length, <Intents key="branches" script={script} change={change} />],
    ['fields', t('script.fields'), script.nlu.fields.length, <Fields key="fields" script={script} change={change} />],
    ['rules', t('script.rules'), script.resultRules.length, <RulesForm key="rules" script={script} change={change} />],
  ];
  return (
    <Accordion multiple defaultValue={['phrases']} variant="contained" chevronPosition="left">
      {parts.map(([key, label, count, content]) => (
        <Accordion.Item key={key} value={key}>
          <Accordion.Control>
            {label} <span className="quiet">{count}</span>
          </Accordion.Control>
          <Accordion.Panel>{content}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Phrases({ script, change }: ScriptPanelProps) {
  const { t } = useTranslation();
  const { phrases } = script;
  const set = (next: EditedScript['phrases'], name?: string) => change({ ...script, phrases: next }, name);
  return (
    <Rows add={() => set([...phrases, { key: freeKey('phrase', keysOf(phrases)), text: '' }])} label={t('scriptEditor.addPhrase')}>
      {phrases.map(({ key, text }, index) => (
        <Row
          key={index}
          name={key}
          keyInput={<KeyInput rows={phrases} index={index} part="phrases" script={script} change={change} />}
          remove={() => set(without(phrases, index))}
        >
          <Textarea
            aria-label={t('scriptEditor.phraseText', { key })}
            autosize
            maxLength={4_000}
            value={text}
            onChange={event => set(replaced(phrases, index, { text: event.currentTarget.value }), `phrase ${index}`)}
          />
        </Row>
      ))}
    </Rows>
  );
}

function Variables({ script, change }: ScriptPanelProps) {
  const { t } = useTranslation();
  const { variables } = script;
  const set = (next: EditedScript['variables'], name?: string) => change({ ...script, variables: next }, name);
  const made = () => ({ key: freeKey('variable', keysOf(variables)), label: '', defaultValue: null });
  return (
    <Rows add={() => set([...variables, made()])} label={t('scriptEditor.addVariable')}>
      {variables.map(({ key, label, defaultValue }, index) => (
        <Row
          key={index}
          name={key}
          keyInput={<KeyText value={key} taken={keysOf(variables)} commit={next => set(replaced(variables, index, { key: next }))} />}
          remove={() => set(without(variables, index))}
        >
          <TextInput
            aria-label={t('scriptEditor.labelOf', { key })}
            placeholder={t('script.label')}
            maxLength={128}
            value={label}
            onChange={event => set(replaced(variables, index, { label: event.currentTarget.value }), `label ${index}`)}
          />
          <TextInput
            mt={4}
            aria-label={t('scriptEditor.defaultOf', { key })}
            placeholder={t('scriptEditor.noDefault')}
            maxLength={1_000}
            value={typeof defaultValue === 'string' || typeof defaultValue === 'number' ? String(defaultValue) : ''}
            onChange={event => set(replaced(variables, index, { defaultValue: event.currentTarget.value || null }), `default ${index}`)}
          />
        </Row>
      ))}
    </Rows>
  );
}

function Intents({ script, change }: ScriptPanelProps) {
  const { t } = useTranslation();
  const { branches } = script.nlu;
  const set = (next: EditedScript['nlu']['branches'], name?: string) => change({ ...script, nlu: { ...script.nlu, branches: next } }, name);
  return (
    <Rows
      add={() => set([...branches, { key: freeKey(t('scriptEditor.newBranch'), keysOf(branches)), desc: '' }])}
      label={t('scriptEditor.addIntent')}
    >
      {branches.map(({ key, desc, examples = [] }, index) => (
        <Row
          key={index}
          name={key}
          keyInput={<KeyInput rows={branches} index={index} part="branches" script={script} change={change} />}
          remove={() => set(without(branches, index))}
        >
          <Textarea
            aria-label={t('scriptEditor.meaningOf', { key })}
            placeholder={t('scriptEditor.meaning')}
            autosize
            maxLength={512}
            value={desc}
            onChange={event => set(replaced(branches, index, { desc: event.currentTarget.value }), `intent ${index}`)}
          />
          <ExamplesInput
            name={key}
            examples={examples}
            change={next => set(replaced(branches, index, { examples: next }), `examples ${index}`)}
          />
        </Row>
      ))}
    </Rows>
  );
}

function Fields({ script, change }: ScriptPanelProps) {
  const { t } = useTranslation();
  const { fields } = script.nlu;
  const set = (next: EditedScript['nlu']['fields'], name?: string) => change({ ...script, nlu: { ...script.nlu, fields: next } }, name);
  const types = FIELD_TYPES.map(type => ({ value: type, label: t(`scriptFieldType.${type}`) }));
  return (
    <Rows
      add={() => set([...fields, { key: freeKey('field', keysOf(fields)), label: '', type: 'text' }])}
      label={t('scriptEditor.addField')}
    >
      {fields.map(({ key, label, type }, index) => (
        <Row
          key={index}
          name={key}
          keyInput={<KeyInput rows={fields} index={index} part="fields" script={script} change={change} />}
          remove={() => set(without(fields, index))}
        >
          <TextInput
            aria-label={t('scriptEditor.labelOf', { key })}
            placeholder={t('script.label')}
            maxLength={128}
            value={label}
            onChange={event => set(replaced(fields, index, { label: event.currentTarget.value }), `field ${index}`)}
          />
          <Select
            mt={4}
            aria-label={t('scriptEditor.typeOf', { key })}
            allowDeselect={false}
            data={types}
            value={type}
            onChange={next => next && set(replaced(fields, index, { type: next }))}
          />
        </Row>
      ))}
    </Rows>
  );
}

function Rows({ add, label, children }: { add: () => void; label: string; children: ReactNode }) {
  return (
    <div className={styles.rows}>
      {children}
      <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        {label}
      </Button>
    </div>
  );
}

interface RowProps {
  name: string;
  keyInput: ReactNode;
  remove: () => void;
  children: ReactNode;
}

function Row({ name, keyInput, remove, children }: RowProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.row}>
      {keyInput}
      <div>{children}</div>
      <ActionIcon variant="subtle" color="gray" size={34} aria-label={t('scriptEditor.removeRow', { name })} onClick={remove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

interface KeyInputProps extends ScriptPanelProps {
  rows: readonly { key: string }[];
  index: number;
  part: NamedPart;
}

/** The key of a row; a new one is written wherever nodes name it. */
function KeyInput({ rows, index, part, script, change }: KeyInputProps) {
  const key = rows[index]?.key ?? '';
  return <KeyText value={key} taken={keysOf(rows)} commit={next => change(renameKey(script, part, key, next))} />;
}

interface KeyTextProps {
  value: string;
  taken: readonly string[];
  commit: (next: string) => void;
}

/** Takes a key when the field is left: one that is empty or taken is none. */
function KeyText({ value, taken, commit }: KeyTextProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const leave = () => {
    const next = typed?.trim() ?? value;
    if (next !== '' && !taken.includes(next)) commit(next);
    setTyped(null);
  };
  return (
    <TextInput
      aria-label={t('scriptEditor.keyOf', { key: value })}
      maxLength={64}
      value={typed ?? value}
      onChange={event => setTyped(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={event => event.key === 'Enter' && leave()}
    />
  );
}

function keysOf(rows: readonly { key: string }[]): string[] {
  return rows.map(({ key }) => key);
}

function replaced<Item extends object>(rows: readonly Item[], index: number, part: Partial<Item>): Item[] {
  return rows.map((row, place) => (place === index ? { ...row, ...part } : row));
}

function without<Item>(rows: readonly Item[], index: number): Item[] {
  return rows.filter((_, place) => place !== index);
}
