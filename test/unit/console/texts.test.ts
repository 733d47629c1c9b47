import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type EnumTypeDefinitionNode, parse } from 'graphql';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { callMachine } from '#actors/call/machine.ts';
import { interventionMachine } from '#actors/intervention/machine.ts';
import { AUDITED_ACTIONS } from '#audit/audit.ts';
import { PHASE_CAUSES, SKIP_DETAILS } from '#campaigns/decisions/skip-reason.ts';
import { CAMPAIGN_PHASES } from '#campaigns/decisions/campaign-states.ts';
import { PERMISSIONS } from '#kernel/caller.ts';
import { timersOf } from '#platform/actor-host/machine-aggregate.ts';
import { RUNTIME_EVENT_TYPES } from '#runtime-events/runtime-event.ts';
import { PROJECT } from '#test/support/architecture/source-tree.ts';
import { notDialledKey } from '../../../console/text/not-dialled-key.ts';
import { stepKey } from '../../../console/pages/calls/step-key.ts';
import { phaseKey } from '../../../console/pages/campaigns/phase-key.ts';
import { NAMED_OF_EVENTS } from '../../../console/pages/runtime-events/named-of-events.ts';

const FOLDER = join(PROJECT, 'console');
const zh = keysOf(read('zh'));
const en = keysOf(read('en'));

describe('the texts of the console', () => {
  test('exist in both languages; English plural forms have one Chinese text', () => {
    expect([...new Set(en.map(withoutPlural))].sort()).toEqual(zh.toSorted());
  });

  test('are never empty', () => {
    expect(Object.entries({ ...flat(read('zh')), ...flat(read('en')) }).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('include every text that a page uses', () => {
    const named = sources().flatMap(text => [...text.matchAll(/\bt\('([\w.]+)'(?!, \{ returnObjects)/g)].map(([, key]) => key ?? ''));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(key => !zh.includes(key))).toEqual([]);
  });

  test('cover every phase and event type of the server', () => {
    const phases = [
      ...CAMPAIGN_PHASES.map(phase => phaseKey(phase, null)),
      ...PHASE_CAUSES.map(cause => phaseKey('WAITING_SLOT', cause.toUpperCase())),
    ];
    expect(phases.filter(key => !zh.includes(key))).toEqual([]);
    expect(zh).toContain(phaseKey('DISPATCHING', 'NO_SCRIPT'));
    const details = SKIP_DETAILS.map(detail => notDialledKey({ reason: 'PAUSED', detail: detail.toUpperCase() }));
    expect(details.filter(key => !zh.includes(key))).toEqual([]);
    expect(Object.keys(RUNTIME_EVENT_TYPES).filter(type => !zh.includes(`eventType.${type}`))).toEqual([]);
  });

  test('say the result of every pre-flight check', () => {
    const checks = readFileSync(join(PROJECT, 'src/dialling/decisions/preflight-checks.ts'), 'utf8');
    const keys = [...checks.matchAll(/\{ code: '(\w+)'/g)].flatMap(([, code]) =>
      ['OK', 'WARNING', 'ERROR'].map(level => `check.${code}.${level}`),
    );
    expect(keys.length).toBeGreaterThan(30);
    expect(keys.filter(key => !zh.includes(key))).toEqual([]);
  });

  test('name and explain every policy type of the schema', () => {
    const { definitions } = parse(readFileSync(join(PROJECT, 'schema/policies.graphql'), 'utf8'));
    const types = definitions.find((each): each is EnumTypeDefinitionNode => 'name' in each && each.name?.value === 'PolicyType');
    const keys = types?.values?.flatMap(({ name: { value } }) => [`policyType.${value}`, `policyAbout.${value}`]) ?? [];
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter(key => !zh.includes(key))).toEqual([]);
  });

  test('name every event, timer, decision and state of a call and of its take-over', () => {
    const machines = [callMachine, interventionMachine];
    const { events, timers, states, effects } = namesOf(machines);
    expect([events.length, timers.length, states.length, effects.length].every(count => count > 10)).toBe(true);
    const takeOver = Object.keys(interventionMachine.states).map(name => stepKey('takeOver', name));
    const keys = [
      ...events.map(name => stepKey('event', name)),
      ...timers.map(name => stepKey('timer', name)),
      ...effects.map(name => stepKey('decision', name)),
      ...states.map(name => stepKey('state', name)),
      ...takeOver,
    ];
    expect(keys.filter(key => !zh.includes(key))).toEqual([]);
  });

  test('use every parameter of an event in both languages', () => {
    const told = Object.entries({ zh: flat(read('zh')), en: flat(read('en')) }).flatMap(([language, texts]) =>
      Object.entries(NAMED_OF_EVENTS).map(([type, names]) => ({ language, type, names, text: texts[`eventTold.${type}`] ?? '' })),
    );
    expect(told.filter(({ names, text }) => names.some(name => !text.includes(`{{${name}}}`)))).toEqual([]);
  });

  test("name every permission as the roles page does, and no text contains a permission's key", () => {
    const named = PERMISSIONS.map(({ key, label }) => [`permission.${key.replace(':', '_')}.label`, label]);
    expect(flat(read('zh'))).toMatchObject(Object.fromEntries(named));
    const keys = PERMISSIONS.map(({ key }) => key).filter(key => key.includes(':'));
    const texts = Object.entries({ ...flat(read('zh')), ...flat(read('en')) });
    expect(texts.filter(([, text]) => keys.some(key => text.includes(key)))).toEqual([]);
  });

  test('cover exactly the audited actions', () => {
    const told = zh.filter(key => key.startsWith('auditAction.')).map(key => key.slice('auditAction.'.length));
    expect(told.sort()).toEqual(AUDITED_ACTIONS.toSorted());
  });

  test('cover every managed noun and each of its fields', () => {
    const nouns = sources().flatMap(text => [...text.matchAll(/^ {4}text: '(\w+)',$/gm)].map(([, section = '']) => ({ section, text })));
    expect(nouns.map(({ section }) => section)).toEqual(expect.arrayContaining(['agents', 'groups', 'lines', 'users']));
    for (const { section, text } of nouns) {
      const fields = [...text.matchAll(/kind: '\w+',\s+name: '(\w+)'/g)].map(([, name]) => `field.${name}`);
      const explained = [...text.matchAll(/name: '(\w+)',[^}]*hasAbout/g)].map(([, name]) => `about.${name}`);
      expect(fields.length).toBeGreaterThan(0);
      const ofDeletion = /\bremove: /.test(text) ? OF_DELETION : [];
      const missing = [...OF_A_NOUN, ...ofDeletion, ...fields, ...explained].filter(key => !zh.includes(`${section}.${key}`));
      expect({ section, missing }).toEqual({ section, missing: [] });
    }
  });
});

/** Raised within a commit, or passed from one machine to the other: no journal has them as events or effects. */
const INNER = ['wentLive', 'leftLive', 'toIntervention', 'toCall'];

/** Names that the journals of these machines may contain; states are those of the first. */
function namesOf(machines: readonly AnyStateMachine[]) {
  const events = machines.flatMap(({ events }) => events).filter(name => !name.startsWith('xstate.'));
  const timers = machines.flatMap(machine => [...timersOf(machine)].map(type => type.split('.')[2] ?? ''));
  const actions = machines.flatMap(({ implementations }) => Object.entries(implementations.actions));
  // A declared effect does nothing, all other actions assign, raise or enqueue.
  const effects = actions.flatMap(([name, action]) => (isDeclared(action) ? [name] : []));
  const isTold = (name: string) => !INNER.includes(name);
  return {
    events: ['created', ...new Set(events)].filter(isTold),
    timers: [...new Set(timers)],
    effects: [...new Set(effects)].filter(isTold),
    states: machines.slice(0, 1).flatMap(({ root }) => leavesOf(root)),
  };
}

function isDeclared(action: unknown): boolean {
  return typeof action === 'function' && !('type' in action);
}

/** Paths of the states without states inside, except those that are left at once. */
function leavesOf({ states, path, always }: AnyStateNode): string[] {
  const inner = Object.values(states);
  if (inner.length > 0) return inner.flatMap(leavesOf);
  return always === undefined || always.length === 0 ? [path.join('.')] : [];
}

/** Texts that `form/noun.ts` needs for every noun. */
const OF_A_NOUN = ['one', 'make', 'count', 'none', 'noneFound', 'made', 'saved'];
/** Texts of those whose rows are deleted. */
const OF_DELETION = ['deleted', 'deleteAsks', 'deleteLoses'];

type Words = { [key: string]: string | Words };

function read(language: string): Words {
  return JSON.parse(readFileSync(join(FOLDER, 'text', `${language}.json`), 'utf8')) as Words;
}

function flat(words: Words, path = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([key, value]) =>
      typeof value === 'string' ? [[path + key, value]] : Object.entries(flat(value, `${path}${key}.`)),
    ),
  );
}

function keysOf(words: Words): string[] {
  return Object.keys(flat(words));
}

function withoutPlural(key: string): string {
  return key.replace(/_(one|other)$/, '');
}

function sources(): string[] {
  return globSync('{pages,ui,table,form,shell}/**/*.tsx', { cwd: FOLDER }).map(path => readFileSync(join(FOLDER, path), 'utf8'));
}
