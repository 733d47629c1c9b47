// Replaces `@jest/globals`. Modules stay loaded from file to file, so each export forwards to the framework of the file that is running.
let current;

export function setTestGlobals(globals) {
  current = globals;
}

const leadTo = name =>
  new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(current[name], self, args),
    get: (_, key) => current[name][key],
  });

export const afterAll = leadTo('afterAll');
export const afterEach = leadTo('afterEach');
export const beforeAll = leadTo('beforeAll');
export const beforeEach = leadTo('beforeEach');
export const describe = leadTo('describe');
export const expect = leadTo('expect');
export const test = leadTo('test');
