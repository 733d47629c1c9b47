import { ActionIcon, Button, Group, Select, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../../ui/act-button.tsx';
import { branchWords } from '../script-words.ts';
import styles from './editor.module.css';
import { addBranch, addNode, branchesOf, connect, DEFAULT_BRANCH, type EditedNode, type EditedScript, nodeOf } from './graph.ts';
import type { NodeForm, NodeTable } from './node-table.ts';

const SILENCE_BRANCH = 'silence';

/** Before the type of a node that is to be made as the target. */
const NEW = 'new:';

interface BranchesProps {
  script: EditedScript;
  node: EditedNode;
  form: NodeForm;
  types: NodeTable;
  change: (next: EditedScript, name?: string) => void;
}

/** The target of each branch; a branch is added by giving it a target. */
export function Branches({ script, node, form, types, change }: BranchesProps) {
  const { t } = useTranslation();
  const leading = new Map(branchesOf(node));
  const offered = [...offeredBy(form, script), ...leading.keys()].filter((branch, index, all) => all.indexOf(branch) === index);
  const targets = useTargets(script, node, types);
  const isOnly = offered.length === 1 && form.branches !== 'NLU';
  const lead = (branch: string, to: string | null) => change(leadTo(script, { from: node.id, branch, to }, types, t));
  return (
    <fieldset className={styles.rows}>
      <legend>{t('scriptEditor.branches')}</legend>
      {offered.map(branch => {
        const words = branchWords(branch, { branches: script.nlu.branches }, t);
        const about = script.nlu.branches.find(({ key }) => key === branch)?.desc;
        return (
          <Group key={branch} gap={6} wrap="nowrap" align="end">
            <Select
              flex={1}
              {...(isOnly ? { 'aria-label': t('scriptEditor.goesTo') } : { label: words })}
              description={about === words ? undefined : about}
              placeholder={t(branch === DEFAULT_BRANCH ? 'scriptEditor.nowhere' : 'scriptEditor.asOtherwise')}
              searchable
              data={targets}
              value={leading.get(branch) ?? null}
              onChange={to => lead(branch, to)}
            />
            {leading.has(branch) && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={34}
                aria-label={isOnly ? t('scriptEditor.cutOnly') : t('scriptEditor.cut', { branch: words })}
                onClick={() => lead(branch, null)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        );
      })}
      {form.branches === 'NLU' && <AddBranch key={node.id} script={script} node={node} types={types} change={change} />}
    </fieldset>
  );
}

/** Makes a class of answers where it is used: its name, what customers say, and where such a call goes on. */
function AddBranch({ script, node, types, change }: Omit<BranchesProps, 'form'>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [desc, setDesc] = useState('');
  const [to, setTo] = useState<string | null>(null);
  const targets = useTargets(script, node, types);

  function add(): void {
    const branch = name.trim();
    const added = addBranch(script, node.id, { name: branch, desc: desc.trim(), to: null });
    const key = added.nlu.branches.at(-1)?.key ?? branch;
    change(leadTo(added, { from: node.id, branch: key, to }, types, t));
    setOpen(false);
    setName('');
    setDesc('');
    setTo(null);
  }
  if (!isOpen)
    return (
      <>
        <Text size="sm" className="quiet">
          {t('scriptEditor.branchesAbout')}
        </Text>
        <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          {t('scriptEditor.addBranch')}
        </Button>
      </>
    );
  return (
    <div className={styles.form}>
      <TextInput
        label={t('scriptEditor.branchName')}
        placeholder={t('scriptEditor.branchExample')}
        data-autofocus
        maxLength={60}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('scriptEditor.branchSaid')}
        placeholder={t('scriptEditor.meaning')}
        autosize
        maxLength={512}
        value={desc}
        onChange={event => setDesc(event.currentTarget.value)}
      />
      <Select label={t('scriptEditor.goesTo')} searchable data={targets} value={to} onChange={setTo} />
      <Group gap={6} justify="flex-end">
        <Button variant="default" onClick={() => setOpen(false)}>
          {t('form.cancel')}
        </Button>
        <ActButton reason={name.trim() === '' ? t('scriptEditor.branchFirst') : null} act={add}>
          {t('scriptEditor.addBranch')}
        </ActButton>
      </Group>
    </div>
  );
}

/** Nodes to which a branch may lead, and the types of which a new one may be made. */
function useTargets(script: EditedScript, node: EditedNode, types: NodeTable) {
  const { t } = useTranslation();
  const typeWords = (type: string) => t(`scriptNode.${type}`, { defaultValue: type });
  const made = script.nodes
    .filter(({ id, type }) => id !== node.id && type !== 'start')
    .map(({ id, name, type }) => ({ value: id, label: name || `${typeWords(type)} ${id}` }));
  const fresh = types.all.filter(({ type }) => type !== 'start').map(({ type }) => ({ value: NEW + type, label: typeWords(type) }));
  return [
    { group: t('scriptEditor.targets'), items: made },
    { group: t('scriptEditor.newTarget'), items: fresh },
  ];
}

interface Leading {
  from: string;
  branch: string;
  to: string | null;
}

type Words = (key: string, values: { defaultValue: string }) => string;

/** Leads a branch to a node, or to one that is made for it. */
function leadTo(script: EditedScript, { from, branch, to }: Leading, types: NodeTable, words: Words): EditedScript {
  if (!to?.startsWith(NEW) || nodeOf(script, to) !== null) return connect(script, from, branch, to);
  const type = to.slice(NEW.length);
  return addNode(script, type, types.isLast(type), { id: from, branch }, words(`scriptNode.${type}`, { defaultValue: type })).script;
}

function offeredBy({ branches }: NodeForm, { nlu }: EditedScript): string[] {
  if (branches === 'SILENCE') return [SILENCE_BRANCH, DEFAULT_BRANCH];
  return branches === 'NLU' ? [...nlu.branches.map(({ key }) => key), DEFAULT_BRANCH] : [DEFAULT_BRANCH];
}
