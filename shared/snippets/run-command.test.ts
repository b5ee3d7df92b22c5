import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runCommand, shellWord } from './snippet.ts'

test('the command that the app shows quotes a key’s label, webhook URL or profile name that a shell would misread', () => {
  expect(runCommand({ profile: 'Main desk', of: { key: "bob's bot" }, words: ['./bot', '--fast'] })).toBe(
    String.raw`svc-desk run --profile 'Main desk' --key 'bob'\''s bot' -- ./bot --fast`,
  )
  expect(runCommand({ profile: null, of: { key: 'mm-btc-01' }, words: ['./bot'] })).toBe('svc-desk run --key mm-btc-01 -- ./bot')
  expect(runCommand({ profile: null, of: { webhook: 'https://bots.example/in?a=1&b=2' }, words: ['./bot'] })).toBe(
    "svc-desk run --webhook 'https://bots.example/in?a=1&b=2' -- ./bot",
  )
})

// Asks a shell of POSIX systems.
test.skipIf(process.platform === 'win32')('the app quotes words of a command so that a real shell reads each word back unchanged', () => {
  const words = fc.sample(
    fc.string({ unit: 'binary', minLength: 1 }).filter((word) => !word.includes('\0')),
    { numRuns: 200, seed: 7 },
  )
  const read = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], { encoding: 'utf8' })
  expect(read.split('\0').slice(0, -1)).toEqual(words)
})
