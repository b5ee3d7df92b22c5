// Bundles `svc-desk` for the tests, and the process that holds the keychain, into the folder that is its argument.
import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../project.ts'

await build({
  configFile: false,
  root,
  logLevel: 'error',
  define: { __VERSION__: JSON.stringify('source'), __HOOKS__: 'false' },
  ssr: { noExternal: true, external: ['keytar'] },
  build: {
    ssr: true,
    outDir: process.argv[2] ?? '',
    minify: false,
    target: 'node24',
    rollupOptions: {
      input: { 'svc-desk': join(import.meta.dirname, 'svc-desk.ts'), 'keychain-worker': join(root, 'electron/store/keychain/keychain-worker.ts') },
      output: { entryFileNames: '[name].mjs' },
    },
  },
})
