import { type FormEvent, useState } from 'react';
import { faultsByField, isRefusal, type Refusal } from '../api/refusal.ts';

interface FormOptions<Values, Result> {
  initial: Values;
  /** Runs the command; resolves to its response. */
  send: (values: Values) => Promise<Result | null | undefined>;
  /** Called after a success. */
  done: (result: Exclude<Result, Refusal>) => unknown;
  /** Field that shows the fault of a member; absent: the field of the same name. */
  shownAt?: Readonly<Record<string, keyof Values & string>>;
}

export interface Form<Values> {
  values: Values;
  set: (change: Partial<Values>) => void;
  isChanged: boolean;
  /** Fault of the field in the last response, until the field is changed. */
  errorOf: (field: keyof Values & string) => string | undefined;
  /** Message that belongs to no field. */
  refused: string | null;
  isBusy: boolean;
  submit: (event?: FormEvent) => void;
}

/** A form that keeps the user's input when the server refuses it. */
export function useForm<Values extends object, Result extends { __typename?: string }>(options: FormOptions<Values, Result>): Form<Values> {
  const { initial, send, done, shownAt = {} } = options;
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [refused, setRefused] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  function refuse(refusal: Refusal): void {
    const problems = Object.entries(faultsByField(refusal)).map(([field, problem]) => [shownAt[field] ?? field, problem] as const);
    const shown = problems.filter(([field]) => field in values);
    setFaults(Object.fromEntries(shown));
    // A fault that belongs to no field appears above the form, with the member's name.
    setRefused(shown.length === problems.length && problems.length > 0 ? null : refusal.message);
  }

  async function run(): Promise<void> {
    setBusy(true);
    setFaults({});
    setRefused(null);
    try {
      const result = await send(values);
      if (isRefusal(result)) refuse(result);
      else if (result) await done(result as Exclude<Result, Refusal>);
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    values,
    set: change => {
      setValues(before => ({ ...before, ...change }));
      setFaults(before => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in change))));
    },
    isChanged: Object.keys(initial).some(field => values[field as keyof Values] !== initial[field as keyof Values]),
    errorOf: field => faults[field],
    refused,
    isBusy,
    submit: event => {
      event?.preventDefault();
      if (!isBusy) void run();
    },
  };
}
