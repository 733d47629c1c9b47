import type { LegContext } from '#actors/leg/context.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import { legMachine } from '#actors/leg/machine.ts';
import { machineAggregate } from '#platform/actor-host/machine-aggregate.ts';
import type { Leg, LegChange } from './leg-record.ts';
import type { LegStatus } from './leg.ts';

const aggregate = machineAggregate<LegContext, LegEvent>({
  type: 'leg',
  machine: legMachine,
  snapshotVersion: 1,
  upgrade: () => {
    throw new Error('the row of a leg is its snapshot');
  },
});

/** Decides an event on the row of a leg; null when nothing changes. */
export function decideLeg<Row extends Leg>(leg: Row, event: LegEvent): LegChange<Row> | null {
  const decision = aggregate.decide({ value: leg.status, context: leg }, event);
  if (!decision) return null;
  const { state, effects } = decision;
  const after = { ...leg, ...state.context, status: state.value as LegStatus };
  return { leg: after, isNew: after.status !== leg.status || state.context !== leg, effects };
}
