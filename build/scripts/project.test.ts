import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tool } from './project.ts'

let modules: string
beforeEach(() => {
  modules = mkdtempSync(join(tmpdir(), 'modules-'))
})
afterEach(() => rmSync(modules, { recursive: true, force: true }))

function install(name: string, bin: unknown): void {
  mkdirSync(join(modules, name), { recursive: true })
  mkdirSync(join(modules, '.bin'), { recursive: true })
  writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, bin }))
  writeFileSync(join(modules, name, 'cli.js'), 'console.log("tool", process.argv[2])')
  // On Windows, npm writes a shell script into `.bin`. Node cannot run a shell script.
  writeFileSync(join(modules, '.bin', name), '#!/bin/sh\nbasedir=$(dirname "$(echo "$0" | sed -e \'s,\\\\,/,g\')")\nexec node  "$basedir/../cli.js" "$@"\n')
}

test('runs a tool although the file in .bin is a shell script, as on Windows', () => {
  install('knip', { knip: 'cli.js' })
  expect(execFileSync(process.execPath, [tool('knip', modules), 'ran'], { encoding: 'utf8' })).toBe('tool ran\n')
})

test('reads a package whose only tool has the package’s name', () => {
  install('vitest', './cli.js')
  expect(tool('vitest', modules)).toBe(join(modules, 'vitest/cli.js'))
})

test('names the tool that a package lacks', () => {
  install('knip', { other: 'cli.js' })
  expect(() => tool('knip', modules)).toThrow('has no tool knip')
})

test.each(['biome', 'depcruise', 'electron-vite', 'knip', 'playwright', 'tsc', 'vitest'])('finds the project’s own %s', (name) => {
  expect(execFileSync(process.execPath, ['--check', tool(name)], { encoding: 'utf8' })).toBe('')
})
