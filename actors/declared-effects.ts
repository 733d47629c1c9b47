/** Names effects in a machine's setup: they do nothing there, XState hands their parameters back as data, and executors of the host carry them out. */
// Given by the caller, so that the names can be inferred beside it.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function declaredEffects<Effects>() {
  type Declared<Name extends keyof Effects> = { [Each in Name]: (scope: unknown, params: Effects[Each]) => undefined };
  return <Name extends keyof Effects & string>(...names: readonly Name[]) =>
    Object.fromEntries(names.map(name => [name, () => undefined])) as unknown as Declared<Name>;
}
