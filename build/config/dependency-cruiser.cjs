// The layers of the project as data. Import cycles are Biome's to find, which knows a type from a value. `npm run check` reads it, and proves with a planted violation that it bites.

/** What reads files and texts of others. */
const parsers = [
  '^electron/leaks/(scan|perform-scan|walk|work-tree|git-[^/]+|ignore-rules|glob|detector|candidates|looks-random|read-text)\\.ts$',
  '^electron/(keys/(key-text|perform-key-text)|field-map/perform-map-file|secrets/perform-git-view|webhooks/perform-pasted|parsing/perform)\\.ts$',
  '^electron/app/(performers|parsing-thread)\\.ts$',
  '^shared/webhooks/(pasted-(delivery|curl|har|headers)|bash-words)\\.ts$',
  '^shared/field-map/(read-file|json-lines)\\.ts$',
]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(electron|node:sqlite|keytar)$' } },
    {
      name: 'shared-is-the-leaf',
      comment: 'shared imports nothing local outside itself',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(electron|renderer|e2e|build)/' },
    },
    {
      name: 'shared-has-no-platform',
      comment: 'no Node, no Electron, no React in shared',
      severity: 'error',
      from: { path: '^shared/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'renderer-imports-shared-only',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(electron|e2e|build)/' },
    },
    { name: 'electron-imports-shared-only', severity: 'error', from: { path: '^electron/', pathNot: '\\.test\\.ts$' }, to: { path: '^(renderer|e2e|build)/' } },
    {
      name: 'sandbox-stands-alone',
      comment: 'A practice exchange that shared the endpoint table with the client would share its mistakes.',
      severity: 'error',
      from: { path: '^electron/sandbox/' },
      to: { path: '^(shared/(api|signing|ticket|webhooks)/|electron/(?!sandbox/))' },
    },
    {
      name: 'product-does-not-import-sandbox',
      comment: 'The practice exchange is a process of its own.',
      severity: 'error',
      from: { path: '^electron/(?!sandbox/)', pathNot: ['\\.test\\.ts$', '^electron/testing/'] },
      to: { path: '^electron/sandbox/' },
    },
    {
      name: 'the-desk-is-on-top',
      comment: 'electron/desk puts the services of a profile together; none of them knows it',
      severity: 'error',
      from: { path: '^electron/', pathNot: ['^electron/(app|desk|terminal|testing)/', '^electron/start\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^electron/desk/' },
    },
    {
      name: 'features-do-not-import-each-other',
      severity: 'error',
      from: { path: '^renderer/features/([^/]+)/' },
      to: { path: '^renderer/features/([^/]+)/', pathNot: '^renderer/features/$1/' },
    },
    {
      name: 'ui-is-dumb',
      comment: 'components know neither the bridge nor the wallet',
      severity: 'error',
      from: { path: '^renderer/ui/' },
      to: { path: '^renderer/(ipc|wallet|features)/' },
    },
    {
      name: 'electron-is-touched-in-few-places',
      severity: 'error',
      from: { path: '^(electron|shared|renderer)/', pathNot: ['^electron/(main|start|preload)\\.ts$', '^electron/(app|ipc)/', '^electron/profiles/'] },
      to: { path: '(^|/)electron(/|$)', dependencyTypes: ['npm', 'npm-dev'] },
    },
    {
      name: 'foreign-is-opened-in-one-place',
      comment: 'What others sent is read within bounds, or not at all: shared/foreign and the redaction are the readers.',
      severity: 'error',
      from: { pathNot: ['^shared/foreign/', '^shared/api/redact\\.ts$'] },
      to: { path: '^shared/foreign/bare\\.ts$' },
    },
    {
      name: 'the-network-is-touched-in-few-places',
      comment: 'Each of them marks what comes in as foreign, has a schema and a bound of its own, or takes no more than a function of addresses from there.',
      severity: 'error',
      from: {
        path: '^(electron|shared|renderer)/',
        pathNot: [
          '\\.test\\.tsx?$',
          '^electron/(api|sandbox)/',
          '/testing/',
          '^electron/(chain/post-json|profiles/(phone-line|probe-host)|webhooks/(post|judged-lookup|receiver-test/effects|lab/[^/]+)|terminal/line[^/]*|keys/seen-address|app/phone-switch|start)\\.ts$',
        ],
      },
      to: { path: '^(node:)?(http|https|http2|net|tls|dgram)$|node_modules/undici/' },
    },
    {
      name: 'parsers-have-a-process-of-their-own',
      comment: 'What reads files and pasted texts is loaded by electron/app/parsing-thread alone; main asks it by its job.',
      severity: 'error',
      from: { path: '^(electron|shared|renderer)/', pathNot: [...parsers, '\\.test\\.tsx?$', '/testing/'] },
      to: { path: parsers },
    },
    { name: 'tests-stay-tests', severity: 'error', from: { pathNot: '\\.(test|spec)\\.tsx?$' }, to: { path: '\\.(test|spec)\\.tsx?$' } },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: ['\\.test\\.tsx?$', '/testing/'] },
      to: { path: '/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(out|node_modules/\\.)' },
    tsPreCompilationDeps: true,

    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
}
