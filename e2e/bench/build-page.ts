import { join } from 'node:path'
import { build } from 'vite'

/** Builds a page of `fixture/` for production into `folder`: `index.html` and its scripts. */
export async function buildPage(name: 'react' | 'react-viem' | 'market', folder: string): Promise<void> {
  // Ignores the project’s own configuration, because the reference is Vite’s default build.
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'fixture', name),
    base: './',
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  })
}
