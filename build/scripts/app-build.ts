import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot, root, runTool } from './project.ts'
import { commitOf } from './supply/commit.ts'
import { writeNotices } from './supply/write-notices.ts'

/** Build variants. `product` is what users run. `hooks`, for tests only, can also control practice mode’s clock, faults and automatic approvals. */
export type Variant = 'product' | 'hooks'

const sources = [
  ...['electron', 'renderer', 'shared', 'build/docs', 'build/scripts/help', 'build/scripts/supply'],
  ...['build/config/agreed-packages.ts', 'electron.vite.config.ts', 'package.json', 'package-lock.json', 'LICENSE'],
]

function* files(path: string): Generator<string> {
  if (!existsSync(path)) return
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const file = join(path, entry.name)
    if (entry.isDirectory()) yield* files(file)
    else if (!/\.(test|spec)\.tsx?$/.test(entry.name)) yield file
  }
}

function digest(variant: Variant): string {
  const hash = createHash('sha256')
    .update(variant)
    .update(process.env.SVC_DESK_WALLETCONNECT_PROJECT_ID ?? '')
    .update(variant === 'product' ? (commitOf(root) ?? '') : '')
  for (const source of sources) {
    const path = inRoot(source)
    for (const file of statSync(path).isFile() ? [path] : files(path)) hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex')
}

export const outDir = (variant: Variant): string => inRoot(variant === 'hooks' ? 'out/hooks' : 'out')

/** Builds a variant, unless a build of exactly these sources already exists. Throws with the builder’s output if the build fails. */
export async function ensureBuilt(variant: Variant): Promise<void> {
  const stamp = join(outDir(variant), '.built-from')
  const wanted = digest(variant)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  process.stderr.write(`build: ${variant}\n`)
  const built = await runTool('electron-vite', ['build', '--mode', variant === 'hooks' ? 'hooks' : 'production', '--logLevel', 'warn'], { quiet: true })
  if (built.code !== 0) throw new Error(`the ${variant} build failed:\n${built.output}`)
  writeNotices(root, outDir(variant))
  writeFileSync(stamp, wanted)
}
