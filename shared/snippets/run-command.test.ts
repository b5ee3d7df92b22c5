import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCommandLine } from '../../electron/terminal/command-line.ts'
import { runCommand, shellWord } from './run-command.ts'

test('names are quoted where a shell would read them otherwise', () => {
  expect(runCommand({ profile: 'Main desk', of: { key: "bob's bot" }, words: ['./bot', '--fast'] })).toBe(
    String.raw`svc-desk run --profile 'Main desk' --key 'bob'\''s bot' -- ./bot --fast`,
  )
  expect(runCommand({ profile: null, of: { key: 'mm-btc-01' }, words: ['./bot'] })).toBe('svc-desk run --key mm-btc-01 -- ./bot')
  expect(runCommand({ profile: null, of: { webhook: 'https://bots.example/in?a=1&b=2' }, words: ['./bot'] })).toBe(
    "svc-desk run --webhook 'https://bots.example/in?a=1&b=2' -- ./bot",
  )
})

test('a name that would end the options is read back as a name [F21]', () => {
  for (const of of [{ key: '--' }, { webhook: '--' }]) {
    const line = runCommand({ profile: '--', of, words: ['./bot', '--fast'] })
    const words = execFileSync('/bin/sh', ['-c', `read_back() { printf '%s\\0' "$@"; }; ${line.replace('svc-desk', 'read_back')}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)
    expect(readCommandLine(words)).toMatchObject({
      ok: true,
      value: { action: 'run', profile: '--', key: null, webhook: null, ...of, words: ['./bot', '--fast'] },
    })
  }
})

test('a real shell reads each word back as it was', () => {
  const words = fc.sample(
    fc.string({ unit: 'binary', minLength: 1 }).filter((word) => !word.includes('\0')),
    { numRuns: 200, seed: 7 },
  )
  const read = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], { encoding: 'utf8' })
  expect(read.split('\0').slice(0, -1)).toEqual(words)
})
