import { expect, test } from 'vitest'
import { handoverOf, targetOrder, targets, wrongField } from './handover-form.ts'

test('returns no handover request while a required field is empty', () => {
  for (const target of targetOrder) expect(handoverOf(target, {}, 'key')).toBeNull()
  expect(handoverOf('ssh', { host: 'bots-1' }, 'key')).toBeNull()
})

test('omits empty optional fields, and trims a value at its ends only', () => {
  expect(handoverOf('ssh', { host: ' bots-1 ', path: 'my key' }, 'env')).toEqual({
    target: 'ssh',
    options: { host: 'bots-1', path: 'my key', port: null, content: 'env' },
  })
  expect(handoverOf('ssh', { host: 'bots-1', path: 'k', port: '2222' }, 'key')).toMatchObject({ options: { port: 2222 } })
  expect(handoverOf('docker', { name: 'svc' }, 'key')).toEqual({ target: 'docker', options: { name: 'svc', context: null, content: 'key' } })
})

test('splits a typed command line into its words', () => {
  expect(handoverOf('command', { words: 'glab  variable set X' }, 'key')).toMatchObject({ options: { words: ['glab', 'variable', 'set', 'X'] } })
})

test('shows an example in every field', () => {
  for (const target of targetOrder) for (const { placeholder } of targets[target].fields) expect(placeholder).not.toBe('')
})

test('finds the form field that an issue belongs to', () => {
  expect(wrongField('options.repo')).toBe('repo')
  expect(wrongField('keyId')).toBeNull()
  expect(wrongField(null)).toBeNull()
})
