import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Plugin } from 'vite'

/** The folder of the package that a module belongs to, as named in the lock file (`node_modules/viem`); null for the app’s own code. */
export function packageFolder(root: string, moduleId: string): string | null {
  const path = relative(root, moduleId.replace(/^\0/, '').split('?')[0] ?? '').replaceAll('\\', '/')
  const at = path.lastIndexOf('node_modules/')
  if (at < 0) return null
  const [scope = '', name = ''] = path.slice(at + 'node_modules/'.length).split('/')
  return `${path.slice(0, at)}node_modules/${scope.startsWith('@') ? `${scope}/${name}` : scope}`
}

/**
 * Build plugin that writes the folders of all packages in the bundles to `file`, as a sorted JSON list. Packages removed by tree-shaking are left
 * out.
 */
export function bundledPackages({ root, file }: { readonly root: string; readonly file: string }): Plugin {
  return {
    name: 'bundled-packages',
    apply: 'build',
    writeBundle(_options, bundle) {
      const found = new Set<string>()
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue
        for (const id of Object.keys(part.modules)) {
          const folder = packageFolder(root, id)
          if (folder !== null) found.add(folder)
        }
      }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify([...found].sort(), null, 1)}\n`)
    },
  }
}
