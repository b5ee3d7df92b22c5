// The layers of the project as data: the address of a file says its layer. Import cycles of files are Biome's to find, which knows a type from a value. `npm run check` reads this, and proves with planted violations that each rule bites.

/**
 * The districts of the main process and what each may import, types included. A district that is not named is out of bounds; the lists follow the
 * floor plan of ADR 13, so no chain of imports comes back to where it began.
 */
const below = {
  kernel: [],
  store: ['kernel'],
  service: ['kernel', 'store'],
  wallet: ['kernel', 'store', 'service'],
  reads: ['kernel', 'store', 'service', 'wallet'],
  intents: ['kernel', 'store', 'service', 'wallet', 'reads'],
  keys: ['kernel', 'store', 'service', 'wallet', 'reads', 'intents'],
  'kill-switch': ['kernel', 'store', 'service', 'wallet', 'reads', 'intents', 'keys'],
  webhooks: ['kernel', 'store', 'service', 'wallet', 'reads', 'intents', 'keys'],
  gateway: ['kernel', 'store', 'service', 'wallet', 'reads', 'intents', 'keys'],
  workspace: ['kernel', 'store', 'service', 'wallet', 'reads', 'intents', 'keys', 'kill-switch', 'webhooks', 'gateway'],
  host: ['kernel', 'store', 'service', 'wallet', 'reads', 'intents', 'keys', 'kill-switch', 'webhooks', 'gateway', 'workspace'],
  terminal: ['kernel', 'store', 'service', 'wallet', 'reads', 'intents', 'keys', 'kill-switch', 'webhooks', 'gateway', 'workspace', 'host'],
  practice: [],
}

const districts = Object.entries(below).map(([name, allowed]) => ({
  name: `district-${name}`,
  comment: 'a district imports only from those below it',
  severity: 'error',
  from: { path: `^electron/${name}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^electron/', pathNot: `^electron/(${[name, ...allowed].join('|')})/` },
}))

/** Likewise of the renderer: components, then texts, then what features share, then the wallet and its sheet, then features, then the frame. */
const floors = {
  kit: [],
  text: ['kit'],
  ipc: ['kit', 'text'],
  parts: ['kit', 'text', 'ipc'],
  signing: ['kit', 'text', 'ipc', 'parts'],
  features: ['kit', 'text', 'ipc', 'parts', 'signing'],
  app: ['kit', 'text', 'ipc', 'parts', 'signing', 'features'],
}

const rendererFloors = Object.entries(floors).map(([name, allowed]) => ({
  name: `renderer-${name}`,
  comment: 'a part of the renderer imports only from those below it',
  severity: 'error',
  from: { path: `^renderer/${name}/`, pathNot: '\\.test\\.tsx?$' },
  // The texts of a language are words alone, and are for every floor.
  to: { path: '^renderer/', pathNot: `^renderer/(text/en|${[name, ...allowed].join('|')})/` },
}))

/** What reads files and texts of others. */
const parsers = [
  '^electron/keys/leaks/(scan|place-scan|detector|candidates)\\.ts$',
  '^electron/keys/leaks/files/',
  '^electron/(keys/imported/key-text|service/field-names/perform-map-file|webhooks/subscriptions/perform-pasted|kernel/parsing/perform)\\.ts$',
  '^electron/host/processes/(performers|parsing-thread)\\.ts$',
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
      to: { path: '^(electron|renderer)/' },
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
      to: { path: '^electron/' },
    },
    { name: 'electron-imports-shared-only', severity: 'error', from: { path: '^electron/', pathNot: '\\.test\\.ts$' }, to: { path: '^renderer/' } },
    {
      name: 'practice-stands-alone',
      comment:
        'A practice exchange that shared the endpoint table with the client would share its mistakes; `district-practice` keeps it from the rest of electron.',
      severity: 'error',
      from: { path: '^(electron|e2e/support)/practice/' },
      to: { path: '^(shared/(api|signing|ticket|webhooks)/|electron/(?!practice/)|e2e/(?!support/practice/))' },
    },
    ...districts,
    ...rendererFloors,
    {
      name: 'features-do-not-import-each-other',
      severity: 'error',
      from: { path: '^renderer/features/([^/]+)/' },
      to: { path: '^renderer/features/([^/]+)/', pathNot: '^renderer/features/$1/' },
    },
    {
      name: 'electron-is-touched-in-few-places',
      severity: 'error',
      from: { path: '^(electron|shared|renderer)/', pathNot: ['^electron/(main|start|preload)\\.ts$', '^electron/host/', '^electron/kernel/files/'] },
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
          '^electron/(service/(api|stream|transport)|gateway/http|practice)/',
          '^electron/(wallet/chain/rpc|host/(profiles/(phone-line|exchange-hosts)|updates/update-files)|webhooks/(subscriptions/(post|judged-lookup)|receiver-test/target|lab/[^/]+)|terminal/channel/line[^/]*|host/desktop/phone-switch|start)\\.ts$',
        ],
      },
      to: { path: '^(node:)?(http|https|http2|net|tls|dgram)$|node_modules/undici/' },
    },
    {
      name: 'parsers-have-a-process-of-their-own',
      comment:
        'What reads files and pasted texts is loaded by electron/host/processes/parsing-thread alone; main asks it by its job. `svc-desk scan` is a process of its own, which holds no secret while it reads.',
      severity: 'error',
      from: { path: '^(electron|shared|renderer)/', pathNot: [...parsers, '^electron/terminal/commands/scan-command\\.ts$', '\\.test\\.tsx?$'] },
      to: { path: parsers },
    },
    {
      name: 'records-are-declared',
      comment: 'Whatever is kept by name is a family of electron/store/records: only the store reads and writes rows as they are.',
      severity: 'error',
      from: { path: '^(electron|shared|renderer)/', pathNot: ['^electron/store/', '\\.test\\.ts$'] },
      to: { path: '^electron/store/records/raw\\.ts$' },
    },
    { name: 'tests-stay-tests', severity: 'error', from: { pathNot: '\\.(test|spec)\\.tsx?$' }, to: { path: '\\.(test|spec)\\.tsx?$' } },
    {
      name: 'testing-is-for-tests',
      comment: 'the product imports nothing that only tests and tools need',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(e2e|build)/' },
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
