import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mutants } from '../config/mutants.ts'
import { planted } from './mutants.ts'
import { inRoot } from './project.ts'

describe('planted breaks', () => {
  test('a break is planted only where its text stands exactly once', () => {
    expect(planted('a b c', { find: 'b', replace: 'x' })).toBe('a x c')
    expect(planted('a b b', { find: 'b', replace: 'x' })).toBeNull()
    expect(planted('a c', { find: 'b', replace: 'x' })).toBeNull()
  })

  test('every listed break can be planted, changes something, and names tests that exist', () => {
    const wrong = mutants.filter((mutant) => {
      const source = readFileSync(inRoot(mutant.file), 'utf8')
      const broken = planted(source, mutant)
      return broken === null || broken === source || mutant.tests.length === 0 || !mutant.tests.every((file) => existsSync(inRoot(file)))
    })
    expect(mutants.length).toBeGreaterThan(0)
    expect(wrong.map(({ rule, what }) => `${rule}: ${what}`)).toEqual([])
  })
})
