import { expect, test } from 'vitest'
import { handoverOf, targetOrder, targets, wrongField } from './handover-form.ts'

test('nothing is asked before what is needed is typed', () => {
  for (const target of targetOrder) expect(handoverOf(target, {}, 'key')).toBeNull()
  expect(handoverOf('ssh', { host: 'bots-1' }, 'key')).toBeNull()
})

test('what may be left out is left out, and nothing is trimmed away inside', () => {
  expect(handoverOf('ssh', { host: ' bots-1 ', path: 'my key' }, 'env')).toEqual({
    target: 'ssh',
    options: { host: 'bots-1', path: 'my key', port: null, content: 'env' },
  })
  expect(handoverOf('ssh', { host: 'bots-1', path: 'k', port: '2222' }, 'key')).toMatchObject({ options: { port: 2222 } })
  expect(handoverOf('docker', { name: 'svc' }, 'key')).toEqual({ target: 'docker', options: { name: 'svc', context: null, content: 'key' } })
})

test('a program is given as words', () => {
  expect(handoverOf('command', { words: 'glab  variable set X' }, 'key')).toMatchObject({ options: { words: ['glab', 'variable', 'set', 'X'] } })
})

test('an example stands in every field', () => {
  for (const target of targetOrder) for (const { placeholder } of targets[target].fields) expect(placeholder).not.toBe('')
})

test('an issue is said in the field it is about', () => {
  expect(wrongField('options.repo')).toBe('repo')
  expect(wrongField('keyId')).toBeNull()
  expect(wrongField(null)).toBeNull()
})
