// A Jest runtime over Node's own module loader: imports are loaded once per process, as in production, not once per file.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setTestGlobals } from './globals.mjs';

const GLOBALS = new URL('globals.mjs', import.meta.url).href;
/** Symbol under which Jest's test framework keeps its event handlers. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const require = createRequire(import.meta.url);

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, format: 'module', shortCircuit: true } : next(specifier, context),
});

/**
 * Implements what jest-runner and jest-circus need of a runtime, except for unused features: mocked modules, coverage, a realm per file.
 */
export default class NativeRuntime {
  /** Loads the framework anew for each file because it holds the file's tests. */
  requireInternalModule(path) {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  setGlobalsForRuntime(globals) {
    setTestGlobals(globals);
  }

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return {};
  }

  teardown() {}
}
