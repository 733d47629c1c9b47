import { ActionIcon, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readScript } from '../script-text.ts';
import { branchWords, conditionWords, type Say } from '../script-words.ts';
import styles from './editor.module.css';
import type { EditedRule, EditedScript } from './graph.ts';
import { type RuleKind, readWhen, ruleKindOf, VALUE_TESTS, writeWhen } from './rule-when.ts';

interface RulesFormProps {
  script: EditedScript;
  change: (next: EditedScript, name?: string) => void;
}

const KINDS: readonly RuleKind[] = ['always', 'node', 'branch', 'variable'];

/** Result rules, the first that fits wins. A condition of several parts is shown in words and stays as it is. */
export function RulesForm({ script, change }: RulesFormProps) {
  const { t } = useTranslation();
  const { resultRules } = script;
  const set = (next: readonly EditedRule[], name?: string) => change({ ...script, resultRules: next }, name);
  const replace = (index: number, part: Partial<EditedRule>, name?: string) =>
    set(
      resultRules.map((rule, place) => (place === index ? { ...rule, ...part } : rule)),
      name,
    );
  const always = resultRules.findIndex(({ when }) => ruleKindOf(when) === 'always');
  // A rule behind one that always fits would never be asked.
  const add = () =>
    always === -1
      ? set([...resultRules, { when: null, classification: '', intent: null }])
      : set(resultRules.toSpliced(always, 0, { when: firstCondition(script, t), classification: '', intent: null }));
  return (
    <div className={styles.rows}>
      {resultRules.length > 1 && (
        <Text size="sm" className="quiet">
          {t('scriptEditor.firstRuleWins')}
        </Text>
      )}
      {resultRules.map((rule, index) => (
        <div key={index} className={styles.answer}>
          <Group justify="space-between" gap={4}>
            <Text size="sm" fw={600}>
              {t('scriptEditor.rule', { place: index + 1 })}
            </Text>
            <Group gap={2}>
              {index > 0 && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('scriptEditor.ruleUp', { place: index + 1 })}
                  onClick={() => set(raised(resultRules, index))}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('scriptEditor.removeRow', { name: String(index + 1) })}
                onClick={() => set(resultRules.filter((_, place) => place !== index))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Group>
          {always !== -1 && index > always && (
            <Text size="sm" className="tone-waiting">
              {t('scriptEditor.ruleNeverApplies', { place: always + 1 })}
            </Text>
          )}
          <When script={script} when={rule.when} set={(when, name) => replace(index, { when }, name && `rule ${index} ${name}`)} />
          <Group grow gap={6}>
            <TextInput
              label={t('script.classification')}
              maxLength={128}
              value={rule.classification ?? ''}
              onChange={event => replace(index, { classification: event.currentTarget.value || null }, `rule ${index} class`)}
            />
            <TextInput
              label={t('script.intent')}
              maxLength={128}
              value={rule.intent ?? ''}
              onChange={event => replace(index, { intent: event.currentTarget.value || null }, `rule ${index} intent`)}
            />
          </Group>
        </div>
      ))}
      <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        {t('scriptEditor.addRule')}
      </Button>
    </div>
  );
}

function firstCondition(script: EditedScript, say: Say): object | null {
  const kind = script.nlu.branches.length > 0 ? 'branch' : 'node';
  return writeWhen(kind, { subject: subjectsOf(script, kind, say)[0]?.value ?? '', test: 'exists', value: '' });
}

function raised(rules: readonly EditedRule[], index: number): EditedRule[] {
  const [before, rule] = [rules[index - 1], rules[index]];
  return before && rule ? [...rules.slice(0, index - 1), rule, before, ...rules.slice(index + 1)] : [...rules];
}

interface WhenProps {
  script: EditedScript;
  when: unknown;
  set: (when: unknown, name?: string) => void;
}

function When({ script, when, set }: WhenProps) {
  const { t } = useTranslation();
  const kind = ruleKindOf(when);
  if (kind === 'other') {
    const words = conditionWords(when, readScript({ __typename: 'ScriptVersion', id: '', version: 0, ...script }), t);
    return <Text size="sm">{words}</Text>;
  }
  const { subject, test, value } = readWhen(when);
  const write = (part: Partial<ReturnType<typeof readWhen>>, name?: string) =>
    set(writeWhen(kind, { subject, test, value, ...part }), name);
  return (
    <>
      <Select
        label={t('script.when')}
        allowDeselect={false}
        data={KINDS.map(each => ({ value: each, label: t(`scriptRuleKind.${each}`) }))}
        value={kind}
        onChange={next =>
          set(
            writeWhen(KINDS.find(each => each === next) ?? 'always', {
              subject: subjectsOf(script, next, t)[0]?.value ?? '',
              test: 'exists',
              value: '',
            }),
          )
        }
      />
      {kind !== 'always' && (
        <Select
          aria-label={t(`scriptRuleKind.${kind}`)}
          allowDeselect={false}
          searchable
          data={subjectsOf(script, kind, t)}
          value={subject}
          onChange={next => write({ subject: next ?? '' })}
        />
      )}
      {kind === 'variable' && (
        <Group grow gap={6}>
          <Select
            aria-label={t('scriptEditor.test')}
            allowDeselect={false}
            data={VALUE_TESTS.map(each => ({ value: each, label: t(`scriptTest.${each}`) }))}
            value={test}
            onChange={next => write({ test: VALUE_TESTS.find(each => each === next) ?? 'exists' })}
          />
          {test !== 'exists' && (
            <TextInput
              aria-label={t('scriptEditor.value')}
              value={value}
              onChange={event => write({ value: event.currentTarget.value }, 'value')}
            />
          )}
        </Group>
      )}
    </>
  );
}

/** The subjects of a rule of this kind. */
function subjectsOf({ nodes, nlu, variables }: EditedScript, kind: string | null, say: Say): { value: string; label: string }[] {
  if (kind === 'node') return nodes.map(({ id, name }) => ({ value: id, label: name || id }));
  if (kind === 'branch') return nlu.branches.map(({ key }) => ({ value: key, label: branchWords(key, nlu, say) }));
  const named = [...nlu.fields, ...variables].map(({ key, label }) => ({ value: key, label: label || key }));
  const collected = nodes.flatMap(({ config }) =>
    typeof config['variable'] === 'string' ? [{ value: config['variable'], label: config['variable'] }] : [],
  );
  return [...new Map([...collected, ...named].map(each => [each.value, each])).values()];
}
