import { expect, test } from 'vitest'
import { handoverOf, targetOrder, targets, wrongField } from './handover-form.ts'

test('returns no handover request while a required field is empty', () => {
  for (const target of targetOrder) expect(handoverOf(target, {}, 'key')).toBeNull()
  expect(handoverOf('ssh', { host: 'bots-1' }, 'key')).toBeNull()
})

test('leaves empty optional fields out of the handover request, and trims values only at their ends', () => {
  expect(handoverOf('ssh', { host: ' bots-1 ', path: 'my key' }, 'env')).toEqual({
    target: 'ssh',
    options: { host: 'bots-1', path: 'my key', port: null, content: 'env' },
  })
  expect(handoverOf('ssh', { host: 'bots-1', path: 'k', port: '2222' }, 'key')).toMatchObject({ options: { port: 2222 } })
  expect(handoverOf('docker', { name: 'svc' }, 'key')).toEqual({ target: 'docker', options: { name: 'svc', context: null, content: 'key' } })
})

test('splits a typed command line of the handover form into its words', () => {
  expect(handoverOf('command', { words: 'glab  variable set X' }, 'key')).toMatchObject({ options: { words: ['glab', 'variable', 'set', 'X'] } })
})

test('shows an example in every field of the handover form', () => {
  for (const target of targetOrder) for (const { placeholder } of targets[target].fields) expect(placeholder).not.toBe('')
})

test('finds the handover form’s field to which a failure belongs', () => {
  expect(wrongField('options.repo')).toBe('repo')
  expect(wrongField('keyId')).toBeNull()
  expect(wrongField(null)).toBeNull()
})
