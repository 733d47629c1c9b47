import { Alert, Button, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Branches } from './branches-form.tsx';
import { faultsOfNode, type ScriptFault } from './editor-faults.ts';
import styles from './editor.module.css';
import { changeConfig, changeNode, type EditedNode, type EditedScript } from './graph.ts';
import { ConfigField, type Group as AgentGroup } from './config-field.tsx';
import type { NodeTable } from './node-table.ts';

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
      {form && form.branches !== 'NONE' && <Branches script={script} node={node} form={form} types={types} change={change} />}
      {node.type !== 'start' && (
        <Button variant="default" color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => remove(node.id)}>
          {t('scriptEditor.removeNode')}
        </Button>
      )}
    </div>
  );
}
