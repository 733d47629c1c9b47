import { useQuery } from '@apollo/client/react';
import { SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { useCommands } from '../../../form/use-commands.ts';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { sayDone } from '../../../ui/toast.ts';
import type { ScriptHeadFragment } from '../script.generated.ts';
import { Canvas } from './canvas.tsx';
import { EditorBar } from './editor-bar.tsx';
import {
  type DraftBodyFragment,
  KeepUtteranceDocument,
  ScriptEditorDocument,
  type ScriptEditorQuery,
  ScriptNumbersDocument,
} from './editor.generated.ts';
import styles from './editor.module.css';
import { FaultList } from './fault-list.tsx';
import { addNode, connect, drawBranch, type Edge, type EditedScript, nodeOf, removeNode, targetOf } from './graph.ts';
import { NodePanel } from './node-panel.tsx';
import { nodeTable } from './node-table.ts';
import { readEdited } from './read-edited.ts';
import { ScriptPanel } from './script-panel.tsx';
import { TestsPanel } from './tests-panel.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { useDraft } from './use-draft.ts';
import { useEditorKeys } from './use-editor-keys.ts';

/** A script as a graph with forms, a trial and tests beside it. */
export function ScriptEditorPage() {
  const { id = '' } = useParams();
  const { data, error, loading } = useQuery(ScriptEditorDocument, {
    variables: { id },
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-only',
  });
  if (!data?.script) return error ? <Notice error={error} /> : loading ? <Skeleton height={500} /> : <NotFoundPage />;
  const { script, scriptNodeTypes, agentGroups } = data;
  const { draft } = script;
  return (
    <Editor
      key={id}
      id={id}
      head={script}
      draft={draft}
      initial={readEdited(draft ? Object(draft.body) : script)}
      types={scriptNodeTypes ?? []}
      groups={agentGroups ?? []}
    />
  );
}

interface EditorProps {
  id: string;
  head: ScriptHeadFragment;
  draft: DraftBodyFragment | null;
  initial: EditedScript;
  types: NonNullable<ScriptEditorQuery['scriptNodeTypes']>;
  groups: NonNullable<ScriptEditorQuery['agentGroups']>;
}

const TABS = ['node', 'script', 'trial', 'tests'] as const;
type Tab = (typeof TABS)[number];

function Editor({ id, head, draft: before, initial, types: forms, groups }: EditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { run } = useCommands();
  const draft = useDraft(id, { script: initial, draft: before });
  const { script, change, faults } = draft;
  const types = useMemo(() => nodeTable(forms), [forms]);
  const figures = useFigures(id);
  const [selected, setSelected] = useState<string | null>(null);
  const [at, setAt] = useState<string | null>(null);
  const [tab, setTab] = useState<Tab>('node');
  const [adding, setAdding] = useState<{ id: string; branch: string } | null>(null);
  const node = nodeOf(script, selected);

  const select = (nodeId: string | null) => {
    setSelected(nodeId);
    setAdding(null);
    if (nodeId !== null && tab !== 'trial') setTab('node');
  };
  const remove = (nodeId: string) => {
    if (nodeOf(script, nodeId)?.type === 'start') return;
    change(removeNode(script, nodeId));
    setSelected(null);
  };
  const add = (type: string) => {
    const added = addNode(script, type, types.isLast(type), adding, t(`scriptNode.${type}`, { defaultValue: type }));
    change(added.script);
    select(added.id);
  };
  const nameOf = (nodeId: string) => nodeOf(script, nodeId)?.name || nodeId;
  const draw = (way: Edge) => {
    const { from, branch, to } = way;
    if (types.formOf(nodeOf(script, from)?.type ?? '')?.branches === 'NLU') {
      change(drawBranch(script, way, t('scriptEditor.newBranch')));
      return select(from);
    }
    const before = targetOf(script, from, branch);
    change(connect(script, from, branch, to));
    if (before !== null && before !== to)
      sayDone(t('scriptEditor.ledElsewhere', { name: nameOf(from), before: nameOf(before), after: nameOf(to) }));
  };
  const keepAsTest = async (nodeId: string, text: string, expected: string) => {
    await run(KeepUtteranceDocument, { id, input: { nodeId, text, expected } });
    sayDone(t('scriptTests.kept', { text }));
  };
  useEditorKeys({ undo: draft.undo, redo: draft.redo, save: draft.flush });

  return (
    <div className={styles.page}>
      <title>{`${head.name} · Callout`}</title>
      <EditorBar id={id} head={head} draft={draft} leave={() => void navigate(`/scripts/${id}`)} />
      <div className={styles.place}>
        <div className={styles.stage}>
          <Canvas
            script={script}
            types={types}
            selected={selected}
            at={tab === 'trial' ? at : null}
            figures={figures}
            faultsOf={nodeId => countFaults(faults, nodeId)}
            select={select}
            connect={(from, branch, to) => draw({ from, branch, to })}
            remove={remove}
            addAfter={(from, branch) => {
              setSelected(null);
              setTab('node');
              setAdding({ id: from, branch });
            }}
          />
          <FaultList faults={faults} script={script} show={place => ('nodeId' in place ? select(place.nodeId) : setTab('script'))} />
        </div>
        <section className={`sheet ${styles.side}`} aria-label={t('scriptEditor.side')}>
          <SegmentedControl
            fullWidth
            radius={0}
            aria-label={t('scriptEditor.side')}
            data={TABS.map(each => ({ value: each, label: t(`scriptEditor.tab.${each}`) }))}
            value={tab}
            onChange={next => setTab(TABS.find(each => each === next) ?? 'node')}
          />
          <div className={styles.sideBody}>
            {tab === 'node' && node && (
              <NodePanel script={script} node={node} types={types} groups={groups} faults={faults} change={change} remove={remove} />
            )}
            {tab === 'node' && !node && <AddNode types={forms.map(({ type }) => type)} after={adding} script={script} add={add} />}
            {tab === 'script' && <ScriptPanel script={script} change={change} />}
            {tab === 'trial' && <TrialPanel id={id} script={script} flush={draft.flush} showAt={setAt} keepAsTest={keepAsTest} />}
            {tab === 'tests' && <TestsPanel id={id} script={script} flush={draft.flush} />}
          </div>
        </section>
      </div>
    </div>
  );
}

function countFaults(faults: readonly { nodeId: string | null; isBlocking: boolean }[], nodeId: string) {
  const own = faults.filter(fault => fault.nodeId === nodeId);
  const blocking = own.filter(({ isBlocking }) => isBlocking).length;
  return { blocking, others: own.length - blocking };
}

function useFigures(id: string) {
  const { data } = useQuery(ScriptNumbersDocument, { variables: { id } });
  const figures = data?.script?.figures;
  return useMemo(() => {
    if (!figures || figures.calls === 0) return null;
    return new Map(
      figures.nodes.map(({ nodeId, entered, hungUp, left }) => [nodeId, { entered, hungUp, left: Object(left) as Record<string, number> }]),
    );
  }, [figures]);
}

interface AddNodeProps {
  types: readonly string[];
  after: { id: string; branch: string } | null;
  script: EditedScript;
  add: (type: string) => void;
}

/** The side panel while no node is selected: the types of nodes, to add one behind a branch or by itself. */
function AddNode({ types, after, script, add }: AddNodeProps) {
  const { t } = useTranslation();
  const from = nodeOf(script, after?.id ?? null);
  return (
    <div className={styles.form}>
      <Text size="sm" className="quiet">
        {from ? t('scriptEditor.addBehind', { name: from.name || from.id }) : t('scriptEditor.chooseNode')}
      </Text>
      {types
        .filter(type => type !== 'start' || script.nodes.every(node => node.type !== 'start'))
        .map(type => (
          <button key={type} type="button" className={styles.type} onClick={() => add(type)}>
            <strong>{t(`scriptNode.${type}`, { defaultValue: type })}</strong>
            <span className="quiet">{t(`scriptNodeAbout.${type}`, { defaultValue: '' })}</span>
          </button>
        ))}
    </div>
  );
}
