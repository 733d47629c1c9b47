/** Declares effects in a machine's setup: XState returns them with their parameters as data, and executors of the host run them. */
// `Effects` is given by the caller, so that `Name` can be inferred.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function declaredEffects<Effects>() {
  type Declared<Name extends keyof Effects> = { [Each in Name]: (scope: unknown, params: Effects[Each]) => undefined };
  return <Name extends keyof Effects & string>(...names: readonly Name[]) =>
    Object.fromEntries(names.map(name => [name, () => undefined])) as unknown as Declared<Name>;
}
