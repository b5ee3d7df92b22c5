import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tool } from './project.ts'

let modules: string
beforeEach(() => {
  modules = mkdtempSync(join(tmpdir(), 'modules-'))
})
afterEach(() => rmSync(modules, { recursive: true, force: true }))

/** The command file that npm writes on Windows for a package’s tool. */
const commandFile = (name: string): string =>
  [
    ...['@ECHO off', 'GOTO start', ':find_dp0', 'SET dp0=%~dp0', 'EXIT /b', ':start', 'SETLOCAL', 'CALL :find_dp0', ''],
    ...['IF EXIST "%dp0%\\node.exe" (', '  SET "_prog=%dp0%\\node.exe"', ') ELSE (', '  SET "_prog=node"', '  SET PATHEXT=%PATHEXT:;.JS;=;%', ')', ''],
    `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\..\\${name}\\cli.js" %*`,
    '',
  ].join('\r\n')

function install(name: string, bin: unknown): void {
  mkdirSync(join(modules, name), { recursive: true })
  mkdirSync(join(modules, '.bin'), { recursive: true })
  writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, bin }))
  writeFileSync(join(modules, name, 'cli.js'), 'console.log("tool", process.argv[2])')
  // On Windows, npm writes a shell script into `.bin`. Node cannot run a shell script.
  writeFileSync(join(modules, '.bin', name), '#!/bin/sh\nbasedir=$(dirname "$(echo "$0" | sed -e \'s,\\\\,/,g\')")\nexec node  "$basedir/../cli.js" "$@"\n')
  writeFileSync(join(modules, '.bin', `${name}.cmd`), commandFile(name))
}

test('a build script can run a package’s command-line tool even if the tool’s file in the folder .bin is a shell script, as on Windows', () => {
  install('knip', { knip: 'cli.js' })
  expect(execFileSync(process.execPath, [tool('knip', modules), 'ran'], { encoding: 'utf8' })).toBe('tool ran\n')
})

// The command file jumps to a label that does not exist. There wine’s cmd ends it, but not that of Windows.
test.runIf(process.platform === 'win32' && process.env.WINEPREFIX === undefined)(
  'on Windows, a tool’s command file starts the same JavaScript file as a build script',
  () => {
    install('knip', { knip: 'cli.js' })
    const env = { ...process.env, PATH: `${dirname(process.execPath)};${process.env.PATH}` }
    const said = execFileSync('cmd.exe', ['/d', '/c', join(modules, '.bin', 'knip.cmd'), 'ran'], { encoding: 'utf8', env })
    expect(said.trim()).toBe(execFileSync(process.execPath, [tool('knip', modules), 'ran'], { encoding: 'utf8' }).trim())
  },
)

test('a build script finds the JavaScript file of a command-line tool that has the same name as its package', () => {
  install('vitest', './cli.js')
  expect(tool('vitest', modules)).toBe(join(modules, 'vitest/cli.js'))
})

test('if a package lacks a command-line tool, the build script’s error names the tool', () => {
  install('knip', { other: 'cli.js' })
  expect(() => tool('knip', modules)).toThrow('has no tool knip')
})

test.each(['biome', 'depcruise', 'electron-vite', 'knip', 'playwright', 'tsc', 'vitest'])(
  'a build script finds a valid JavaScript file for the project’s command-line tool %s',
  (name) => {
    expect(execFileSync(process.execPath, ['--check', tool(name)], { encoding: 'utf8' })).toBe('')
  },
)
