import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const REQUIRED = /\brequire\((['"])([^'"]+)\1\)/g;
/** Browser entry of JsSIP's dependency `debug`. */
const FOR_BROWSERS: Readonly<Record<string, string>> = { debug: 'debug/src/browser.js' };

/**
 * Bundles JsSIP and its dependencies into one script that sets `globalThis.JsSIP`: the package contains CommonJS modules, and no bundle.
 */
export function bundleJssip(): string {
  const own = createRequire(import.meta.url);
  const modules = new Map<string, string>();
  const entry = own.resolve('jssip');
  collect(entry, modules);
  const table = [...modules].map(([path, code]) => `${JSON.stringify(path)}: function (module, exports, require) {\n${code}\n}`);
  return `(() => {
const table = {${table.join(',\n')}};
const loaded = {};
const load = path => {
  if (loaded[path]) return loaded[path].exports;
  const module = (loaded[path] = { exports: {} });
  table[path](module, module.exports, load);
  return module.exports;
};
globalThis.process ??= { env: {} };
globalThis.JsSIP = load(${JSON.stringify(entry)});
})();`;
}

function collect(path: string, modules: Map<string, string>): void {
  if (modules.has(path)) return;
  modules.set(path, '');
  const code = readFileSync(path, 'utf8');
  if (path.endsWith('.json')) return void modules.set(path, `module.exports = ${code};`);
  const require = createRequire(path);
  const bundled = code.replaceAll(REQUIRED, (_all, _quote: string, name: string) => {
    // A trailing slash means the package, not Node's module of that name.
    const builtin = name.startsWith('.') ? name : (FOR_BROWSERS[name] ?? name);
    const target = require.resolve(builtin === 'events' ? 'events/' : builtin);
    collect(target, modules);
    return `require(${JSON.stringify(target)})`;
  });
  modules.set(path, bundled);
}
