import { type LegContext, legStatusOf, placeOf } from '#actors/leg/context.ts';
import type { LegEvent } from '#actors/intervention/events.ts';
import { interventionMachine } from '#actors/intervention/machine.ts';
import { machineAggregate } from '#platform/actor-host/machine-aggregate.ts';
import type { Leg, LegChange } from './leg-record.ts';

const aggregate = machineAggregate<LegContext, LegEvent>({
  type: 'intervention',
  machine: interventionMachine,
  snapshotVersion: 1,
  upgrade: () => {
    throw new Error('the row of a leg is its snapshot');
  },
});

/** Decides an event on the row of a leg; null when nothing changes. */
export function decideLeg<Row extends Leg>(leg: Row, event: LegEvent): LegChange<Row> | null {
  const decision = aggregate.decide({ value: placeOf(leg.status), context: leg }, event);
  if (!decision) return null;
  const { state, effects } = decision;
  const after = { ...leg, ...state.context, status: legStatusOf(state.value) };
  return { leg: after, isNew: after.status !== leg.status || state.context !== leg, effects };
}
