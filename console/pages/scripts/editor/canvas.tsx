import '@xyflow/react/dist/style.css';
import { Background, type Connection, Controls, MarkerType, ReactFlow, type Edge as FlowEdge } from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { branchWords } from '../script-words.ts';
import styles from './editor.module.css';
import { branchesOf, DEFAULT_BRANCH, edgesOf, type EditedScript } from './graph.ts';
import { layOut } from './layout.ts';
import { type CardNode, NODE_TYPES } from './node-card.tsx';
import type { NodeTable } from './node-table.ts';

/** Size of a node and of the gaps, px; the card's styles have the same. */
const SIZE = { width: 220, height: 104, gapX: 36, gapY: 66 };

interface CanvasProps {
  script: EditedScript;
  types: NodeTable;
  selected: string | null;
  /** Node at which a trial is. */
  at: string | null;
  faultsOf: (nodeId: string) => { blocking: number; others: number };
  figures: FiguresByNode | null;
  select: (nodeId: string | null) => void;
  connect: (from: string, branch: string, to: string) => void;
  remove: (nodeId: string) => void;
  addAfter: (nodeId: string, branch: string) => void;
}

export type FiguresByNode = ReadonlyMap<string, { entered: number; hungUp: number; left: Readonly<Record<string, number>> }>;

/** The script as a graph: a node is chosen by a click, connected by dragging from one of its branches, deleted by a key. */
export function Canvas(props: CanvasProps) {
  const { script, select, connect, remove } = props;
  const { t } = useTranslation();
  const scheme = useComputedColorScheme();
  const nodes = useNodes(props);
  const edges = useEdges(props);
  const onConnect = ({ source, sourceHandle, target }: Connection) => connect(source, sourceHandle ?? DEFAULT_BRANCH, target);
  return (
    <section className={styles.canvas} aria-label={t('scriptEditor.graph')}>
      <ReactFlow
        key={script.entryNodeId}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={scheme}
        onConnect={onConnect}
        onNodeClick={(_event, { id }) => select(id)}
        onPaneClick={() => select(null)}
        onNodesDelete={gone => gone.forEach(({ id }) => remove(id))}
        onSelectionChange={({ nodes: [chosen] }) => chosen && select(chosen.id)}
        deleteKeyCode={['Delete', 'Backspace']}
        nodesDraggable={false}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.2}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{ 'controls.ariaLabel': t('scriptEditor.zoom') }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

function useNodes({ script, types, selected, at, faultsOf, figures, addAfter }: CanvasProps): CardNode[] {
  const places = useMemo(
    () =>
      layOut(
        script.nodes.map(({ id }) => id),
        edgesOf(script),
        script.entryNodeId,
        SIZE,
      ),
    [script],
  );
  return script.nodes.map(node => ({
    id: node.id,
    type: 'card',
    position: places.get(node.id) ?? { x: 0, y: 0 },
    selected: node.id === selected,
    deletable: node.type !== 'start',
    width: SIZE.width,
    height: SIZE.height,
    data: {
      node,
      script,
      isAt: node.id === at,
      isLast: types.isLast(node.type),
      faults: faultsOf(node.id),
      figures: figures?.get(node.id) ?? null,
      addAfter,
    },
  }));
}

function useEdges({ script, figures }: CanvasProps): FlowEdge[] {
  const { t } = useTranslation();
  const words = { branches: script.nlu.branches };
  return edgesOf(script).map(({ from, branch, to }) => {
    const isOnly = branch === DEFAULT_BRANCH && branchesOf(script.nodes.find(({ id }) => id === from) ?? { next: null }).length === 1;
    const left = figures?.get(from)?.left[branch];
    const label = [isOnly ? '' : shortened(branchWords(branch, words, t)), left === undefined ? '' : String(left)]
      .filter(Boolean)
      .join(' · ');
    return {
      id: `${from} ${branch}`,
      source: from,
      sourceHandle: branch,
      target: to,
      type: 'smoothstep',
      label,
      deletable: false,
      focusable: false,
      markerEnd: { type: MarkerType.ArrowClosed },
    };
  });
}

const LONGEST_LABEL = 14;

function shortened(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL)}…` : text;
}
