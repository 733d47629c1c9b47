// Jest's runtime over Node's own module loader: a file's imports are loaded once a process, as in production, not once a file.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setTestGlobals } from './globals.mjs';

const GLOBALS = new URL('globals.mjs', import.meta.url).href;
/** Where Jest's test framework keeps what listens to it. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const require = createRequire(import.meta.url);

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, format: 'module', shortCircuit: true } : next(specifier, context),
});

/** What jest-runner and jest-circus ask of a runtime, without what this project does not use: mocked modules, coverage, a realm a file. */
export default class NativeRuntime {
  /** The framework itself, anew for each file: it holds the file's tests. */
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
