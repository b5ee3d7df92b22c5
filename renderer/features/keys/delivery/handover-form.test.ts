import { expect, test } from 'vitest'
import { handoverOf, targetOrder, targets, wrongField } from './handover-form.ts'

test('the form that sends a key to a server or program creates no request while a required field is empty', () => {
  for (const target of targetOrder) expect(handoverOf(target, {}, 'key')).toBeNull()
  expect(handoverOf('ssh', { host: 'bots-1' }, 'key')).toBeNull()
})

test('the form that sends a key to a server or program omits empty optional fields, and trims values only at their ends', () => {
  expect(handoverOf('ssh', { host: ' bots-1 ', path: 'my key' }, 'env')).toEqual({
    target: 'ssh',
    options: { host: 'bots-1', path: 'my key', port: null, content: 'env' },
  })
  expect(handoverOf('ssh', { host: 'bots-1', path: 'k', port: '2222' }, 'key')).toMatchObject({ options: { port: 2222 } })
  expect(handoverOf('docker', { name: 'svc' }, 'key')).toEqual({ target: 'docker', options: { name: 'svc', context: null, content: 'key' } })
})

test('the form that sends a key to a program splits the command line that the user typed into words', () => {
  expect(handoverOf('command', { words: 'glab  variable set X' }, 'key')).toMatchObject({ options: { words: ['glab', 'variable', 'set', 'X'] } })
})

test('the form that sends a key to a server or program shows an example in every field', () => {
  for (const target of targetOrder) for (const { placeholder } of targets[target].fields) expect(placeholder).not.toBe('')
})

test('when sending a key to a server or program fails, the form finds the field that the error names, if any', () => {
  expect(wrongField('options.repo')).toBe('repo')
  expect(wrongField('keyId')).toBeNull()
  expect(wrongField(null)).toBeNull()
})
