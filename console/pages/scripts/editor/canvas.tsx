import '@xyflow/react/dist/style.css';
import { Background, type Connection, Controls, MarkerType, type NodeChange, type NodeHandle, Position, ReactFlow } from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { branchWords } from '../script-words.ts';
import { CARD, type HandlePlace, handlesOf } from './card-handles.ts';
import styles from './editor.module.css';
import { branchesOf, DEFAULT_BRANCH, type Edge, edgesOf, type EditedNode, type EditedScript, nodeOf } from './graph.ts';
import { type Layout, layOut, wayKey } from './layout.ts';
import { type CardNode, NODE_TYPES } from './node-card.tsx';
import type { NodeTable } from './node-table.ts';
import { FIT, ViewFollower } from './view-follower.tsx';
import { EDGE_TYPES, type WayEdge } from './way-edge.tsx';

/** Size of a node and of the gaps, px. */
const SIZE = { ...CARD, gapX: 36, gapY: 66 };

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
  const layout = useLayout(script);
  const nodes = cardsOf(props, layout);
  const edges = useEdges(props, layout);
  // Clicks and keys alike; the graph itself holds no state.
  const onNodesChange = (changes: NodeChange<CardNode>[]) => {
    const chosen = changes.find(change => change.type === 'select' && change.selected);
    if (chosen?.type === 'select') select(chosen.id);
  };
  const onConnect = ({ source, sourceHandle, target }: Connection) => connect(source, sourceHandle ?? DEFAULT_BRANCH, target);
  return (
    <section className={styles.canvas} aria-label={t('scriptEditor.graph')}>
      <ReactFlow
        key={script.entryNodeId}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={scheme}
        onConnect={onConnect}
        onNodesChange={onNodesChange}
        onPaneClick={() => select(null)}
        onNodesDelete={gone => gone.forEach(({ id }) => remove(id))}
        deleteKeyCode={['Delete', 'Backspace']}
        nodesDraggable={false}
        fitView
        fitViewOptions={FIT}
        minZoom={0.2}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{
          'controls.ariaLabel': t('scriptEditor.zoom'),
          'controls.zoomIn.ariaLabel': t('scriptEditor.zoomIn'),
          'controls.zoomOut.ariaLabel': t('scriptEditor.zoomOut'),
          'controls.fitView.ariaLabel': t('scriptEditor.fitView'),
        }}
      >
        <Background />
        <Controls showInteractive={false} />
        <ViewFollower chosen={layout.places.get(props.selected ?? '')} />
      </ReactFlow>
    </section>
  );
}

function useLayout(script: EditedScript): Layout {
  return useMemo(
    () =>
      layOut(
        script.nodes.map(({ id }) => id),
        edgesOf(script),
        script.entryNodeId,
        SIZE,
      ),
    [script],
  );
}

function cardsOf(props: CanvasProps, layout: Layout): CardNode[] {
  return props.script.nodes.map(node => cardOf(node, props, layout));
}

function cardOf(node: EditedNode, { script, types, selected, at, faultsOf, figures, addAfter }: CanvasProps, layout: Layout): CardNode {
  const order = branchOrder(node, layout);
  const isLast = types.isLast(node.type);
  return {
    id: node.id,
    type: 'card',
    position: layout.places.get(node.id) ?? { x: 0, y: 0 },
    selected: node.id === selected,
    deletable: node.type !== 'start',
    ...CARD,
    measured: CARD,
    handles: handlesOf(order, { isFirst: node.type === 'start', isLast }).map(asHandle),
    data: {
      node,
      script,
      order,
      isAt: node.id === at,
      isLast,
      faults: faultsOf(node.id),
      figures: figures?.get(node.id) ?? null,
      addAfter,
    },
  };
}

function asHandle(place: HandlePlace): NodeHandle {
  return { ...place, position: place.type === 'source' ? Position.Bottom : Position.Top };
}

/** Branches from left to right as their targets stand, so that edges do not cross below the node. */
function branchOrder(node: EditedNode, { places, ways }: Layout): string[] {
  const x = (to: string) => ways.get(wayKey({ from: node.id, to }))?.[0]?.x ?? (places.get(to)?.x ?? 0) + SIZE.width / 2;
  return branchesOf(node)
    .toSorted(([, a], [, b]) => x(a) - x(b))
    .map(([branch]) => branch);
}

/** Branches that lead from one node to the same other are one edge. */
function useEdges({ script, figures }: CanvasProps, { ways }: Layout): WayEdge[] {
  const { t } = useTranslation();
  const grouped = Map.groupBy(edgesOf(script), wayKey);
  const wordsOf = ({ from, branch }: Edge): string => {
    const isOnly = branch === DEFAULT_BRANCH && branchesOf(nodeOf(script, from) ?? { next: null }).length === 1;
    const left = figures?.get(from)?.left[branch];
    const words = isOnly ? '' : shortened(branchWords(branch, { branches: script.nlu.branches }, t));
    return [words, left === undefined ? '' : String(left)].filter(Boolean).join(' · ');
  };
  const levels = new Map<string, number>();
  return [...grouped].flatMap(([key, edges]): WayEdge[] => {
    const [first] = edges;
    if (first === undefined) return [];
    const words = edges.map(wordsOf).filter(Boolean).join(' / ');
    const level = levels.get(first.to) ?? 0;
    if (words) levels.set(first.to, level + 1);
    const edge: WayEdge = {
      id: key,
      source: first.from,
      sourceHandle: first.branch,
      target: first.to,
      type: 'way',
      data: { way: ways.get(key) ?? [], words, level },
      deletable: false,
      focusable: false,
      markerEnd: { type: MarkerType.ArrowClosed },
    };
    return [edge];
  });
}

/** Longest words of a branch on the graph, in characters; all of them stand in the form. */
const LONGEST_LABEL = 12;

function shortened(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL)}…` : text;
}
