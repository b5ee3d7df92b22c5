import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { updateSource } from './build/config/release.ts'
import { helpPages } from './build/scripts/help/help-pages.ts'
import { generateScopedName, shortNames } from './build/scripts/style-sheets.ts'
import { bundledPackages } from './build/scripts/supply/bundled-packages.ts'
import { commitOf, type Reportable, reportsTo } from './build/scripts/supply/commit.ts'
import { translatedPages } from './build/scripts/supply/translated-pages.ts'

const at = (path: string) => resolve(import.meta.dirname, path)

const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string } & Reportable // npm's own file

/** The style sheets listed in `renderer/parts/style-order.ts`. */
const sharedStyles = /renderer\/(kit\/(tokens|base)|(kit|parts)\/(?!.*(book|chart|time-picture|secret-outlets|help-view)\.module).*\.module)\.css/

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** Whether the window’s page loads a module at once, through static imports alone. */
const ofFirstPage = (() => {
  const found = new Set<string>()
  const add = (id: string, modules: Modules): void => {
    if (found.has(id)) return
    found.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported, modules)
  }
  return (id: string, modules: Modules): boolean => {
    if (found.size === 0) add(at('renderer/index.html'), modules)
    return found.has(id)
  }
})()

/**
 * The build configuration. `--mode hooks` builds the app for tests into `out/hooks`, where tests can control practice mode’s clock, faults and
 * automatic approvals. `npm run dev` builds the same app into `out/dev`. The product, without these test controls, is built into `out`.
 */
export default defineConfig(({ mode }) => {
  const hooks = mode !== 'production'
  const out = mode === 'hooks' ? 'out/hooks' : mode === 'development' ? 'out/dev' : 'out'
  const bundled = (part: string) => bundledPackages({ root: import.meta.dirname, file: at(`${out}/bundled/${part}.json`) })
  const define = {
    __HOOKS__: JSON.stringify(hooks),
    __VERSION__: JSON.stringify(manifest.version),
    __COMMIT__: JSON.stringify(hooks ? null : commitOf(import.meta.dirname)),
    __REPORT_TO__: JSON.stringify(reportsTo(manifest)),
    __UPDATES__: JSON.stringify(updateSource()),
    __WALLETCONNECT_PROJECT_ID__: JSON.stringify(process.env.SVC_DESK_WALLETCONNECT_PROJECT_ID ?? ''),
  }
  return {
    main: {
      define,
      plugins: [bundled('main')],
      build: {
        outDir: at(`${out}/main`),
        // Bundles the following packages, because a few large files load faster than hundreds of small ones. keytar stays outside, because its native addon
        // cannot be bundled.
        externalizeDeps: { exclude: ['big.js', 'pg', 'prom-client', 'smol-toml', 'undici', 'viem', 'zod'] },
        rollupOptions: {
          // Removes whitespace, so that the app starts faster. Keeps names, so that stack traces in the log are readable.
          output: { minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } } },
          input: {
            index: at('electron/main.ts'),
            sandbox: at('electron/practice/sandbox.ts'),
            terminal: at('electron/terminal/svc-desk-entry.ts'),
            'keychain-worker': at('electron/store/keychain/keychain-worker.ts'),
            'check-thread': at('electron/store/journal/tables/check-thread.ts'),
            'parsing-worker': at('electron/host/processes/parsing-worker.ts'),
            'parsing-thread': at('electron/host/processes/parsing-thread.ts'),
          },
        },
      },
    },
    preload: {
      define,
      plugins: [bundled('preload')],
      build: {
        outDir: at(`${out}/preload`),
        // Built as CommonJS, because a preload script that is an ES module cannot run with `sandbox: true`.
        rollupOptions: { input: { index: at('electron/preload.ts') }, output: { format: 'cjs', entryFileNames: '[name].cjs' } },
      },
    },
    renderer: {
      root: at('renderer'),
      define,
      plugins: [react(), helpPages, translatedPages, bundled('renderer'), ...(hooks ? [] : [shortNames.plugin])],
      css: { modules: { generateScopedName: hooks ? generateScopedName : shortNames.generateScopedName } },
      build: {
        outDir: at(`${out}/renderer`),
        minify: true,
        rollupOptions: {
          input: { index: at('renderer/index.html'), phone: at('renderer/phone.html'), popout: at('renderer/popout.html') },
          // All pages share one style sheet in the order of `style-order.ts`, because the later of two equally specific rules wins.
          // Modules that five or more pages share are one file, because each file costs a request: the first page then loads 14 files. Those
          // that the first page does not need are a file of their own.
          output: {
            codeSplitting: {
              groups: [
                { name: 'shared-styles', test: sharedStyles, priority: 2 },
                { name: (id, modules) => (ofFirstPage(id, modules) ? 'common' : null), minShareCount: 5, priority: 1 },
                { name: 'common-later', minShareCount: 5 },
              ],
            },
          },
        },
      },
    },
  }
})
