import { ActionIcon, Alert, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { branchWords } from '../script-words.ts';
import { faultsOfNode, type ScriptFault } from './editor-faults.ts';
import styles from './editor.module.css';
import { branchesOf, changeConfig, changeNode, connect, DEFAULT_BRANCH, type EditedNode, type EditedScript } from './graph.ts';
import { ConfigField, type Group as AgentGroup } from './config-field.tsx';
import type { NodeForm, NodeTable } from './node-table.ts';

interface NodePanelProps {
  script: EditedScript;
  node: EditedNode;
  types: NodeTable;
  groups: readonly AgentGroup[];
  faults: readonly ScriptFault[];
  change: (next: EditedScript, name?: string) => void;
  remove: (nodeId: string) => void;
}

/** The chosen node as a form, made of the server's table of node types; each fault stands at its field. */
export function NodePanel({ script, node, types, groups, faults, change, remove }: NodePanelProps) {
  const { t } = useTranslation();
  const form = types.formOf(node.type);
  const own = faultsOfNode(faults, script, node.id);
  const problemOf = (member: string) => own.find(fault => fault.member === member)?.problem;
  const set = (name: string, value: unknown) => change(changeConfig(script, node.id, name, value), `${node.id} ${name}`);
  return (
    <div className={styles.form}>
      <Text className="quiet" size="sm">
        {t(`scriptNodeAbout.${node.type}`, { defaultValue: form?.description ?? node.type })}
      </Text>
      {own
        .filter(({ member }) => !member.startsWith('config.'))
        .map(({ member, problem, isBlocking }) => (
          <Alert key={member + problem} color={isBlocking ? 'red' : 'yellow'} p="xs">
            {problem}
          </Alert>
        ))}
      <TextInput
        label={t('scriptEditor.nodeName')}
        placeholder={node.id}
        maxLength={128}
        value={node.name}
        onChange={event => change(changeNode(script, node.id, { name: event.currentTarget.value }), `${node.id} name`)}
      />
      {form?.fields.map(field => (
        <ConfigField
          key={field.name}
          field={field}
          value={node.config[field.name]}
          script={script}
          groups={groups}
          error={problemOf(`config.${field.name}`)}
          set={value => set(field.name, value)}
        />
      ))}
      {form && form.branches !== 'NONE' && <Branches script={script} node={node} form={form} change={change} />}
      {node.type !== 'start' && (
        <Button variant="default" color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => remove(node.id)}>
          {t('scriptEditor.removeNode')}
        </Button>
      )}
    </div>
  );
}

const SILENCE_BRANCH = 'silence';

interface BranchesProps {
  script: EditedScript;
  node: EditedNode;
  form: NodeForm;
  change: NodePanelProps['change'];
}

/** The target of each branch; a branch is added by giving it a target. */
function Branches({ script, node, form, change }: BranchesProps) {
  const { t } = useTranslation();
  const leading = new Map(branchesOf(node));
  const offered = [...offeredBy(form, script), ...leading.keys()].filter((branch, index, all) => all.indexOf(branch) === index);
  const targets = script.nodes
    .filter(({ id, type }) => id !== node.id && type !== 'start')
    .map(({ id, name, type }) => ({ value: id, label: name || `${t(`scriptNode.${type}`, { defaultValue: type })} ${id}` }));
  return (
    <fieldset className={styles.rows}>
      <legend>{t('scriptEditor.branches')}</legend>
      {offered.map(branch => (
        <Group key={branch} gap={6} wrap="nowrap" align="end">
          <Select
            flex={1}
            label={branchWords(branch, { branches: script.nlu.branches }, t)}
            placeholder={t(branch === DEFAULT_BRANCH ? 'scriptEditor.nowhere' : 'scriptEditor.asOtherwise')}
            searchable
            data={targets}
            value={leading.get(branch) ?? null}
            onChange={to => change(connect(script, node.id, branch, to))}
          />
          {leading.has(branch) && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={t('scriptEditor.cut', { branch: branchWords(branch, { branches: script.nlu.branches }, t) })}
              onClick={() => change(connect(script, node.id, branch, null))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
    </fieldset>
  );
}

function offeredBy({ branches }: NodeForm, { nlu }: EditedScript): string[] {
  if (branches === 'SILENCE') return [SILENCE_BRANCH, DEFAULT_BRANCH];
  return branches === 'NLU' ? [...nlu.branches.map(({ key }) => key), DEFAULT_BRANCH] : [DEFAULT_BRANCH];
}
