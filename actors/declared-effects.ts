/** The types of a machine's setup, which XState reads from an object that is never used. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function machineTypes<Context, Event, Input = undefined>() {
  return {} as { context: Context; events: Event; input: Input };
}

/** Declares effects in a machine's setup: XState returns them with their parameters as data, and executors of the host run them. */
// `Effects` is given by the caller, so that `Name` can be inferred.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function declaredEffects<Effects>() {
  type Declared<Name extends keyof Effects> = { [Each in Name]: (scope: unknown, params: Effects[Each]) => undefined };
  return <Name extends keyof Effects & string>(...names: readonly Name[]) =>
    Object.fromEntries(names.map(name => [name, () => undefined])) as unknown as Declared<Name>;
}
