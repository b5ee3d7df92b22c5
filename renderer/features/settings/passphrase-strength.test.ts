import { expect, test } from 'vitest'
import { passphraseStrength } from './passphrase-sheet.tsx'

test.each([
  ['', 'short'],
  ['abc def', 'short'],
  ['aaaaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['abababababababababab', 'weak'],
  ['password with more', 'weak'],
  ['12345678', 'weak'],
  ['qwertyuiop', 'weak'],
  ['abcdefgh1234', 'weak'],
  ['x4tR9!mq', 'weak'],
  ['winter night', 'fair'],
  ['x4tR9!mqLp', 'fair'],
  ['x4tR9!mqLpw7Zk', 'strong'],
  ['four plain words here', 'strong'],
  ['пять длинных слов подряд тут', 'strong'],
] as const)('the app rates the strength of the passphrase %s as %s', (passphrase, strength) => {
  expect(passphraseStrength(passphrase).strength).toBe(strength)
})

test('the settings page says why a passphrase is weak or too short', () => {
  expect(passphraseStrength('abc').words).toContain('At least 8')
  expect(passphraseStrength('aaaaaaaaaaaa').words).toContain('repeats itself')
  expect(passphraseStrength('hunter34567').words).toContain('row of keys')
})
